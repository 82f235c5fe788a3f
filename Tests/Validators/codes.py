"""LOINC check digits and UCUM's grammar: the codes no offline validator looks into."""

import re

LOINC_SYSTEM = "http://loinc.org"
UCUM_SYSTEM = "http://unitsofmeasure.org"

_LOINC = re.compile(r"([0-9]{1,7})-([0-9])")
_LOINC_PART = re.compile(r"L[AGLP][0-9]+-[0-9]")


def loinc_fault(code):
    """Why this can't be a LOINC code, or None. Whether it exists is not judged."""
    if _LOINC_PART.fullmatch(code):
        return None  # Answers, lists and parts are numbered differently.
    match = _LOINC.fullmatch(code)
    if not match:
        return "is not of LOINC's form"
    total = 0
    for place, digit in enumerate(reversed(match[1])):
        doubled = int(digit) * (1 if place % 2 else 2)
        total += doubled // 10 + doubled % 10
    return None if -total % 10 == int(match[2]) else "has a wrong LOINC check digit"


# Units as the Unified Code for Units of Measure writes them, case-sensitively, without those of printers, apothecaries
# and surveyors. Metric ones take a prefix.
_PREFIXES = "Y Z E P T G M k h da d c m u n p f a z y Ki Mi Gi Ti".split()
_METRIC = set(
    """
    m s g rad K C cd mol sr Hz N Pa J W A V F Ohm S Wb Cel T H lm lx Bq Gy Sv l L ar t u eV pc bar
    dyn erg P St G Ci R RAD REM cal cal_th cal_IT eq osm kat U [iU] [IU] Np B B[SPL] B[V] B[mV] B[uV] B[W]
    bit By Bd m[H2O] m[Hg]
    """.split()
)
_OTHER = set(
    """
    % [ppth] [ppm] [ppb] [pptr] 10* 10^ [pi] ' '' deg gon min h d a a_t a_j a_g wk mo mo_s mo_j mo_g atm att AU
    [in_i] [ft_i] [yd_i] [mi_i] [fth_i] [nmi_i] [kn_i] [sin_i] [sft_i] [syd_i] [cin_i] [cft_i] [cyd_i]
    [ft_us] [yd_us] [mi_us] [gal_us] [qt_us] [pt_us] [foz_us] [fdr_us] [tbs_us] [tsp_us] [cup_us]
    [foz_m] [cup_m] [tsp_m] [tbs_m] [gal_br] [qt_br] [pt_br] [foz_br] [gr] [lb_av] [oz_av] [dr_av] [stone_av]
    [ston_av] [lton_av] [lb_tr] [oz_tr] [lbf_av] [psi] [HP] [Btu] [Btu_th] [Cal] [degF] [degR] [in_i'H2O] [in_i'Hg]
    [diop] [p'diop] [MET] [pH] [drp] [HPF] [LPF] [arb'U] [USP'U] [CFU] [PFU]
    """.split()
)
_ANNOTATION = re.compile(r"\{[\x20-\x7a\x7c\x7e]*\}")
_FACTOR = re.compile(r"[0-9]+(?![0-9*^\[A-Za-z])")
_SYMBOL = re.compile(r"(?:10[*^]|[A-Za-z%'_]|\[[\x21-\x5a\x5c\x5e-\x7e]*\])+")
_EXPONENT = re.compile(r"[+-]?[0-9]+")


def ucum_fault(code):
    """Why this is not a UCUM unit, or None."""
    try:
        rest = _term(code, 0)
    except ValueError as error:
        return str(error)
    return None if rest == len(code) else "is not a UCUM unit"


def _term(code, at):
    if code.startswith("/", at):
        at += 1
    at = _component(code, at)
    while at < len(code) and code[at] in "./":
        at = _component(code, at + 1)
    return at


def _component(code, at):
    if code.startswith("(", at):
        at = _term(code, at + 1)
        if not code.startswith(")", at):
            raise ValueError("lacks a closing bracket in its UCUM unit")
        return at + 1
    if match := _ANNOTATION.match(code, at):
        return match.end()
    if match := _FACTOR.match(code, at):
        at = match.end()
    elif match := _SYMBOL.match(code, at):
        if not _is_unit(match[0]):
            raise ValueError("uses a unit that UCUM does not have")
        at = match.end()
        if exponent := _EXPONENT.match(code, at):
            at = exponent.end()
    else:
        raise ValueError("is not a UCUM unit")
    if match := _ANNOTATION.match(code, at):
        at = match.end()
    return at


def _is_unit(symbol):
    if symbol in _METRIC or symbol in _OTHER:
        return True
    return any(symbol.startswith(prefix) and symbol[len(prefix) :] in _METRIC for prefix in _PREFIXES)
