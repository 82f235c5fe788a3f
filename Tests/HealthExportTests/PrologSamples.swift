/// Document types as generations of iOS write them, shortened.
enum PrologSamples {
    static let version3 = """
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 3 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
        <!ATTLIST HealthData
          locale CDATA #REQUIRED
        >
        <!ELEMENT Record (MetadataEntry*)>
        <!ATTLIST Record
          type          CDATA #REQUIRED
          unit          CDATA #IMPLIED
          value         CDATA #IMPLIED
        >
        <!-- Note: Any Records that appear as children of a correlation also appear as top-level records in this document. -->
        <!ELEMENT Correlation ((MetadataEntry|Record)*)>
        ]>

        """

    static let version8 = """
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 8 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
        <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
        <!ELEMENT WorkoutRoute ((MetadataEntry|Location)*)>
        <!ATTLIST Location
          date          CDATA #REQUIRED
          latitude      CDATA #REQUIRED
        >
        ]>

        """

    static let version11 = """
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 11 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram)*)>
        <!ELEMENT FileReference EMPTY>
        <!ATTLIST FileReference
          path CDATA #REQUIRED
        >
        ]>

        """

    /// iOS 16.0: an ATTLIST that is not closed, a stray line, a second declaration, and one `>` too many.
    static let version12 = """
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 12 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)>
        <!ELEMENT VisionPrescription ((RightEye|LeftEye|MetadataEntry)*)>
        <!ATTLIST VisionPrescription
          type              CDATA #REQUIRED
          dateIssued        CDATA #REQUIRED
          expirationDate    CDATA #REQUIRED
          brand             CDATA #IMPLIED
        <!ELEMENT RightEye EMPTY>
        <!ATTLIST RightEye
          sphere            CDATA #IMPLIED
        >
          device            CDATA #IMPLIED
        <!ELEMENT MetadataEntry EMPTY>
        <!ATTLIST MetadataEntry
          key   CDATA #REQUIRED
          value CDATA #REQUIRED
        >
        >
        ]>

        """

    static let version13 = """
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 13 -->
        <!ELEMENT WorkoutStatistics EMPTY>
        <!ATTLIST WorkoutStatistics
          type CDATA #REQUIRED
          unit CDATA #IMPLIED
        >
        <!ELEMENT WorkoutEvent (MetadataEntry*)>
        ]>

        """

    static let version14 = """
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        <!ELEMENT SensitivityPoint EMPTY>
        <!ATTLIST SensitivityPoint
          leftEarMasked CDATA #IMPLIED
        >
        ]>

        """
}
