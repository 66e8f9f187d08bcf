"""`tumble check`: what is wrong with an assembly, as text, JSON, CSV and BCF."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tumble.clash import CheckSettings, check_parts
from tumble.clash.as_csv import as_csv
from tumble.clash.baseline import approved, as_baseline, compared, load_baseline
from tumble.clash.bcf import VERSIONS, Frame, View, as_bcf, topics_of
from tumble.clash.finding import Finding, Kind
from tumble.clash.groups import WAYS
from tumble.clash.lengths import length_in
from tumble.clash.motion import check_motion, load_tracks
from tumble.clash.rules import load_rules, rules_of
from tumble.clash.settings import FAILING
from tumble.cli.check_verdict import CheckVerdict
from tumble.cli.cluster_options import ClusterOptions, check_cluster, client_of
from tumble.cli.errors import CLEAR, TOUCHING, Debug
from tumble.cli.options import Json, takes
from tumble.cli.output import write_out
from tumble.cli.outputs import check_outputs
from tumble.cli.progress import Bar, progress_bar, run_interruptibly
from tumble.cli.reading import ReadingOptions, check_reading, file_option, read_assembly
from tumble.core.options import checked_name
from tumble.core.whole_files import write_all
from tumble.errors import OptionError
from tumble.report.snapshot import snapshots_of
from tumble.tools.beside import compiled_beside

if TYPE_CHECKING:
    from tumble.clash.check import Checked, Report
    from tumble.mesh import Assembly

TOLERANCE_HELP = "Overlap that is no deeper counts as contact: 0.1mm, or a number in the unit of the files."
CLEARANCE_HELP = "Parts that are nearer to each other are too close."
OFFSET_HELP = "How far copies may be off each other to count as duplicates."
RULES_HELP = "A TOML file: which pairs to ignore, which must or must not touch, and clearances; see docs/check.md."
BASELINE_HELP = "A file that remembers findings from run to run: what is new, resolved, approved. Made if missing."
APPROVE_HELP = "Approve a finding by the beginning of its id, in the baseline; again for more."
MOTION_HELP = "A JSON file with tracks of poses: check every frame."
FAIL_HELP = "Fail on this kind, too: touching or contact; again for more."
RELATIONS_HELP = "Decide how all parts that touch lie to each other, however long it takes."
LISTED = (Kind.TOUCHING, Kind.CONTACT)
SAMPLE_TOLERANCE = "0.05mm"
SAMPLE_RULES = {"must_touch": [{"a": "bolt-*", "b": "top-plate", "name": "bolts sit on the top plate"}]}


def _length(option: str, text: str) -> typer.models.OptionInfo:
    return typer.Option(option, metavar="LENGTH", help=text, show_default=False)


@dataclass(frozen=True)
class CheckOptions(ClusterOptions, ReadingOptions):
    """The options of the command."""

    tolerance: Annotated[str | None, _length("--tolerance", TOLERANCE_HELP)] = None
    clearance: Annotated[str, _length("--clearance", CLEARANCE_HELP)] = "0"
    duplicate_offset: Annotated[str, _length("--duplicate-offset", OFFSET_HELP)] = "0"
    rules: Annotated[Path | None, file_option("--rules", RULES_HELP)] = None
    baseline: Annotated[Path | None, file_option("--baseline", BASELINE_HELP)] = None
    approve: Annotated[list[str] | None, typer.Option("--approve", metavar="ID", help=APPROVE_HELP)] = None
    reason: Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why they are approved.")] = None
    motion: Annotated[Path | None, file_option("--motion", MOTION_HELP)] = None
    fail_on: Annotated[list[str] | None, typer.Option("--fail-on", metavar="KIND", help=FAIL_HELP)] = None
    group_by: Annotated[str | None, typer.Option("--group-by", metavar="|".join(WAYS), help="Group findings.")] = None
    json: Json = False
    report: Annotated[
        Path | None, file_option("--report", "Write one HTML page: findings, and the assembly in 3D.")
    ] = None
    csv: Annotated[Path | None, file_option("--csv", "Write a table for spreadsheets.")] = None
    bcf: Annotated[Path | None, file_option("--bcf", "Write a BCF file, for building software.")] = None
    bcf_version: Annotated[
        str | None, typer.Option("--bcf-version", metavar="2.1|3.0", help="Of the BCF file.", show_default="2.1")
    ] = None
    relations: Annotated[bool, typer.Option("--relations", help=RELATIONS_HELP)] = False
    debug: Debug = False


@dataclass(frozen=True)
class Outcome:
    """A verdict, and the files to write, complete."""

    verdict: CheckVerdict
    files: dict[Path, bytes] = field(default_factory=dict)


@takes(CheckOptions)
def check(options: CheckOptions) -> None:
    """Tell what is wrong with an assembly: parts that cross, go through or are inside each other, copies, small gaps.

    Answers are exact for the triangles of the files. Without a file, a sample assembly is checked.

    The exit code is 0 without faults, 1 with faults that no rule allows and nobody has approved, 2 on an error. Parts
    that touch, or overlap by the tolerance at most, are listed and are not faults.
    """
    _check_options(options)
    with (
        progress_bar("reading", lines=True) as bar,
        compiled_beside("check-backwards"),
        client_of(options, bar) as client,
    ):
        outcome = run_interruptibly(lambda: _look(options, bar, client))
    verdict = outcome.verdict
    # in this thread: Ctrl-C ends the other one wherever it is, and would leave what is half written
    write_all(outcome.files, lambda: write_out(verdict.render(options.json)))
    raise typer.Exit(TOUCHING if verdict.checked.faults else CLEAR)


def _check_options(options: CheckOptions) -> None:
    """Refuse what cannot work before the work."""
    check_outputs(
        {"--report": options.report, "--csv": options.csv, "--bcf": options.bcf, "--baseline": options.baseline},
        {"--rules": options.rules, "--motion": options.motion},
        options.files or (),
    )
    if options.approve and options.baseline is None:
        raise OptionError("--approve needs --baseline FILE, which remembers it")
    if options.reason is not None and not options.approve:
        raise OptionError("--reason says why findings are approved: name them with --approve ID")
    if options.group_by is not None:
        checked_name("--group-by", options.group_by, tuple(WAYS))
    for kind in options.fail_on or ():
        checked_name("--fail-on", kind, tuple(map(str, LISTED)))
    check_reading(options)
    check_cluster(options)
    if options.bcf_version is not None:
        checked_name("--bcf-version", options.bcf_version, VERSIONS)
        if options.bcf is None:
            raise OptionError("--bcf-version says which BCF file to write: name the file with --bcf FILE")


def _look(options: CheckOptions, bar: Bar, client: Any) -> Outcome:
    started = time.perf_counter()
    known = () if options.baseline is None else load_baseline(options.baseline)
    assembly = read_assembly(options, bar)
    read = time.perf_counter() - started

    def report(label: str, done: int, total: int | None) -> None:
        bar.update(done, total, label)

    checked = _checked(options, assembly, report, client)
    findings, resolved = compared(checked.findings, known)
    checked = replace(checked, findings=approved(findings, options.approve or (), options.reason))
    verdict = CheckVerdict(
        [str(file) for file in options.files or []], checked, assembly, tuple(resolved), known, options.group_by,
        read, time.perf_counter() - started, bar.compiled > 0,
    )  # fmt: skip
    return Outcome(verdict, _files(options, verdict, bar))


def _tolerance(options: CheckOptions) -> str:
    if options.tolerance is not None:
        return options.tolerance
    return "0" if options.files else SAMPLE_TOLERANCE


def _checked(options: CheckOptions, assembly: Assembly, report: Report, client: Any) -> Checked:
    parts, unit = assembly.parts, assembly.units
    settings = CheckSettings(
        length_in(_tolerance(options), unit, "--tolerance"),
        length_in(options.clearance, unit, "--clearance"),
        length_in(options.duplicate_offset, unit, "--duplicate-offset"),
        FAILING | {Kind(kind) for kind in options.fail_on or ()},
        client=client,
    )
    if options.relations:
        settings = replace(settings, lines_each=None)
    rules = () if options.files else rules_of(SAMPLE_RULES)
    if options.rules is not None:
        rules = load_rules(options.rules, unit)
    report("loading the kernels", 0, None)
    if options.motion is None:
        return check_parts(parts, settings, rules, report)
    return check_motion(parts, load_tracks(options.motion), settings, rules, report)


def _files(options: CheckOptions, verdict: CheckVerdict, bar: Bar) -> dict[Path, bytes]:
    found, checked = {}, verdict.checked
    if options.report is not None:
        found[options.report] = _page(verdict, bar).encode("utf-8", "backslashreplace")
    if options.csv is not None:
        found[options.csv] = as_csv(checked, verdict.resolved).encode("utf-8-sig", "backslashreplace")
    if options.bcf is not None:
        found[options.bcf] = _bcf(options.bcf_version or VERSIONS[0], verdict, bar)
    if options.baseline is not None:
        found[options.baseline] = as_baseline(checked.findings, verdict.known)
    return found


def _bcf(version: str, verdict: CheckVerdict, bar: Bar) -> bytes:
    frame, draw = Frame(verdict.unit, verdict.assembly.origin), snapshots_of(verdict.checked.parts)
    total, done = len(topics_of(verdict.checked)), count()

    def snapshot(finding: Finding, view: View) -> bytes:
        bar.update(next(done), total, "drawing pictures")
        return draw(finding, view)

    return as_bcf(verdict.checked, frame, version, snapshot)


def _page(verdict: CheckVerdict, bar: Bar) -> str:
    from tumble.report.clash import Setting, as_html

    title = ", ".join(Path(file).name for file in verdict.files) or "Sample assembly"
    setting = Setting(title, verdict.unit, verdict.resolved, verdict.how())
    return as_html(verdict.checked, setting, lambda done, total: bar.update(done, total, "drawing the page"))
