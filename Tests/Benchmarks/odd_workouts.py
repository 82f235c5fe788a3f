"""Workouts that would cost more if each part were compared with all others: ratios of about 1 say that they don't.

    python3 Tests/Benchmarks/odd_workouts.py PGHD [ROUNDS]

Each is converted alternately with one of the same size that has nothing to compare; the result is the median of the
ratios within a round.
"""
import os
import statistics
import sys
import tempfile

from bench import run

WORKOUTS = 40
TIMES = 'startDate="2024-06-16 09:00:00 +0100" endDate="2024-06-16 09:30:00 +0100"'
STATISTICS = "".join(
    f'<WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" {TIMES} sum="{number}" unit="count"/>\n'
    for number in range(4000)
)
EVENTS = "".join(
    f'<WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-06-16 09:{number % 30:02}:00 +0100" duration="{number}" '
    'durationUnit="s"><MetadataEntry key="HKTimeZone" value="Europe/Paris"/></WorkoutEvent>\n' for number in range(4000)
)
METADATA = "".join(f'<MetadataEntry key="k{number}" value="v"/>\n' for number in range(10_000))


def workout(number, children):
    kind = 'workoutActivityType="HKWorkoutActivityTypeRunning"'
    return f'<Workout {kind} duration="{number + 1}" durationUnit="min" sourceName="Watch" {TIMES}>\n{children}</Workout>\n'


def activity(name):
    kind = f'workoutActivityType="HKWorkoutActivityType{name}"'
    return f'<WorkoutActivity uuid="a" {kind} {TIMES}>\n{STATISTICS}</WorkoutActivity>\n'


def main():
    pghd = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    cases = {
        "statistics that an activity repeats, against those of another one":
            ([STATISTICS + activity("Running")], [STATISTICS + activity("Yoga")]),
        "events with metadata among a workout's own metadata, against both apart":
            ([METADATA + EVENTS], [METADATA, EVENTS]),
    }
    print("| convert of workouts with thousands of | times as long |")
    print("|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, forms in cases.items():
            paths = []
            for form in forms:
                paths.append(os.path.join(folder, f"{len(paths)}.xml"))
                with open(paths[-1], "w") as file:
                    file.write("<HealthData>\n")
                    for number in range(WORKOUTS):
                        file.writelines(workout(number * len(form) + place, part) for place, part in enumerate(form))
                    file.write("</HealthData>\n")
            convert = [pghd, "convert", "--patient", "bench", "--quiet", "--threads", "1", "-o", "/dev/null"]
            ratios = []
            for _ in range(rounds):
                odd, even = (run([*convert, path])[0] for path in paths)
                ratios.append(odd / even)
            print(f"| {name} | {statistics.median(ratios):.2f} |", flush=True)


if __name__ == "__main__":
    main()
