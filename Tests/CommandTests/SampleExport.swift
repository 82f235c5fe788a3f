import Foundation

/// Small exports of an invented person, one idea each.
enum SampleExport {
    /// Two dates two years apart, five sources, a panel, a workout, and one of everything that the mapping does not
    /// know.
    static let varied = export(
        """
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Alex’s Apple Watch" unit="count/min" \
        creationDate="2022-11-30 23:30:00 -0100" startDate="2022-11-30 23:30:00 -0100" \
        endDate="2022-11-30 23:30:00 -0100" value="61"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Alex’s Apple Watch" unit="count/min" \
        creationDate="2024-02-29 08:00:00 +0100" startDate="2024-02-29 08:00:00 +0100" \
        endDate="2024-02-29 08:00:00 +0100" value="62"/>
         <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Sugar &amp; Co" \
        unit="mmol&lt;180.1558800000541&gt;/L" startDate="2024-02-01 08:00:00 +0100" \
        endDate="2024-02-01 08:00:00 +0100" value="5.5"/>
         <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Sugar &amp; Co" \
        unit="mg/dL" startDate="2024-02-02 08:00:00 +0100" endDate="2024-02-02 08:00:00 +0100" value="99"/>
         <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Sugar &amp; Co" \
        unit="mg/dL" startDate="2024-02-03 08:00:00 +0100" endDate="2024-02-03 08:00:00 +0100" value="98"/>
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="時計" \
        startDate="2024-01-31 23:00:00 +0000" endDate="2024-02-01 06:00:00 +0000" \
        value="HKCategoryValueSleepAnalysisAsleepCore"/>
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="時計" \
        startDate="2024-02-01 23:00:00 +0000" endDate="2024-02-02 06:00:00 +0000" \
        value="HKCategoryValueSleepAnalysisLucid"/>
         <Record type="HKQuantityTypeIdentifierTimeTravelled" sourceName="Future" unit="furlong" \
        startDate="2024-02-05 08:00:00 +0000" endDate="2024-02-05 08:00:00 +0000" value="3"/>
         <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" \
        startDate="2024-02-06 08:00:00 +0000" endDate="2024-02-06 08:00:00 +0000">
          <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" \
        startDate="2024-02-06 08:00:00 +0000" endDate="2024-02-06 08:00:00 +0000" value="120"/>
         </Correlation>
         <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" \
        startDate="2024-02-06 08:00:00 +0000" endDate="2024-02-06 08:00:00 +0000" value="120"/>
         <Workout workoutActivityType="HKWorkoutActivityTypeYoga" duration="30" durationUnit="min" \
        sourceName="Alex’s Apple Watch" startDate="2024-02-07 08:00:00 +0000" endDate="2024-02-07 08:30:00 +0000"/>

        """
    )

    /// A forbidden byte, a doubled attribute and a record without dates; cut off inside the last record.
    static let damaged = String(
        export(
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iP\u{B}hone" unit="count" \
            startDate="2024-02-01 08:00:00 +0000" endDate="2024-02-01 08:05:00 +0000" value="100"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" unit="count" \
            startDate="2024-02-02 08:00:00 +0000" endDate="2024-02-02 08:05:00 +0000" value="200"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" value="300"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" \
            startDate="2024-02-04 08:00:00 +0000" endDate="2024-02-04 08:05:00 +0000" value="400"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="cou

            """
        ).dropLast("\n</HealthData>\n".count)
    )

    /// The folder in `samples/` that contains some of everything.
    static let kitchenSink = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "samples/kitchen-sink").path

    /// An export with these elements.
    static func export(_ elements: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        ]>
        <HealthData locale="en_GB">
         <ExportDate value="2024-03-01 10:00:00 +0100"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01"/>
        \(elements)</HealthData>

        """
    }
}
