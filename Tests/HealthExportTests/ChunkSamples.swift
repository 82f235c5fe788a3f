/// Exports of invented people, small enough to be cut at every byte.
enum ChunkSamples {
    static let prolog = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
        <!ATTLIST HealthData
          locale CDATA #REQUIRED
        >
        ]>

        """

    /// A record on one line, as Apple writes it.
    static func record(_ value: String, indentation: String = " ") -> String {
        indentation + "<Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch\" unit=\"count/min\""
            + " creationDate=\"2024-05-01 10:00:00 +0100\" startDate=\"2024-05-01 10:00:00 +0100\""
            + " endDate=\"2024-05-01 10:00:00 +0100\" value=\"\(value)\"/>"
    }

    /// An export of the given lines.
    static func export(_ lines: [String]) -> String {
        prolog + (["<HealthData locale=\"en_GB\">"] + lines + ["</HealthData>", ""]).joined(separator: "\n")
    }

    /// Records with children, a workout, a correlation, comments, CDATA, entities and text that is not ASCII.
    static let varied = export([
        " <ExportDate value=\"2024-05-01 10:00:00 +0100\"/>",
        " <Me HKCharacteristicTypeIdentifierDateOfBirth=\"\" HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexNotSet\"/>",
        record("61"),
        """
         <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Zoë’s “Scale” 体重計 🏋️" sourceVersion="1.2" device="&lt;&lt;HKDevice: 0x283336ee0&gt;, name:Scale, manufacturer:A &amp; B, hardware:Scale1,2&gt;" unit="kg" creationDate="2024-05-01 10:00:00 +0100" startDate="2024-05-01 09:00:00 +0100" endDate="2024-05-01 09:00:00 +0100" value="70.5">
          <MetadataEntry key="HKWasUserEntered" value="1"/>
          <MetadataEntry key="note" value="a &lt;b&gt; &quot;c&quot; &apos;d&apos; &#233; &#x1F600;"/>
         </Record>
        """,
        " <!-- a comment with <Record value=\"no\"/> and",
        record("comment"),
        " in it -->",
        """
         <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" startDate="2024-05-01 08:00:00 +0100" endDate="2024-05-01 08:00:00 +0100">
          <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" startDate="2024-05-01 08:00:00 +0100" endDate="2024-05-01 08:00:00 +0100" value="120"/>
          <Record type="HKQuantityTypeIdentifierBloodPressureDiastolic" sourceName="Cuff" unit="mmHg" startDate="2024-05-01 08:00:00 +0100" endDate="2024-05-01 08:00:00 +0100" value="80"/>
         </Correlation>
        """,
        record("62"),
        """
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" sourceName="Watch" startDate="2024-05-01 07:00:00 +0100" endDate="2024-05-01 07:30:00 +0100">
          <MetadataEntry key="HKIndoorWorkout" value="0"/><!-- here too: <Record/> -->
          <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-05-01 07:10:00 +0100"/>
          <![CDATA[ <Record value="no"/> ]]>
          <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="5" unit="km"/>
         </Workout>
        """,
        " <?instruction <Record value=\"no\"/>?>",
        record("63"),
        """
         <Record type='HKQuantityTypeIdentifierHeartRateVariabilitySDNN' sourceName='a > b'
          unit="ms" startDate="2024-05-01 06:00:00 +0100"
          endDate = "2024-05-01 06:01:00 +0100"	value="55">
          <HeartRateVariabilityMetadataList>
           <InstantaneousBeatsPerMinute bpm="61" time="6:14:48.94 PM"/>
          </HeartRateVariabilityMetadataList>
         </Record>
        """,
        record("64"),
        " <ActivitySummary dateComponents=\"2024-05-01\" activeEnergyBurned=\"500\"/>",
    ])
}
