"""What a grading suite imports: tables of cases, comparisons, and the questions asked of every task."""

from grader.run.suite.agree import (
    Twins,
    agree,
    agree_gradients,
    in_float64,
    leaves_inputs_alone,
    moved,
    refused,
    same,
    twins,
    unmoved,
    zero_weights,
)
from grader.run.suite.cases import Case, Table, cases
from grader.run.suite.compare import close, close_gradient, equal, of_shape
from grader.run.suite.own_work import own_work
from grader.run.suite.probes import Probe, fill, probe
from grader.subject.failure import fail, holds
from grader.subject.proxy import Given, Module, Object, Proxy

__all__ = [
    "Case", "Given", "Module", "Object", "Probe", "Proxy", "Table", "Twins",
    "agree", "agree_gradients", "cases", "close", "close_gradient", "equal", "fail", "fill", "holds", "in_float64",
    "leaves_inputs_alone", "moved", "of_shape", "own_work", "probe", "refused", "same", "twins", "unmoved",
    "zero_weights",
]  # fmt: skip
