"""Every way a check can fail: its reason, its sentence, and what `grade explain CODE` says about it.

A sentence is a format string over the check's `values`. Code that fails a check names a code and the values;
nobody writes a sentence elsewhere.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import Any

from grader.language import N_, OTHERS, _, current, said
from grader.results.schema import Reason


@dataclass(frozen=True, slots=True)
class Code:
    slug: str
    reason: Reason | None  # None: the check did not fail, it was not started, blocked or not judged
    sentence: str
    explain: str


_FOLLOWED = N_(
    "The grader follows your code and looks for the values the reference makes on its way, whatever their layout. The "
    "first one that is missing is where to look; it is a hint, not a verdict."
)
_ALL = [
    # What came back
    Code("wrong_type", "shape", "{what} should be a {want}, got {got}.",
         "The function returned another kind of object than its docstring promises. A missing `return` gives None."),
    Code("wrong_count", "shape", "{what} should be {want} values, got {got}.",
         "The function returns a tuple of fixed length: look at the `->` in its signature."),
    Code("wrong_shape", "shape", "{what} should have shape {want}, got {got}.",
         "Compare the two shapes axis by axis. The letters are explained in the docstring of the stub."),
    Code("wrong_dtype", "shape", "{what} should have dtype {want}, got {got}.",
         "The result follows the dtype of the input: float64 in, float64 out. Tensors you create inside need "
         "`dtype=x.dtype`, or a cast back with `.type_as(x)`."),
    Code("not_finite", "value", "At {index}, {what} is {got}, where it should be {want}.",
         "A NaN usually comes from 0 / 0, inf - inf or 0 * inf: a softmax over a row that is -inf everywhere, "
         "an exponential that overflows, or a mask that is multiplied with -inf."),
    Code("wrong_value", "value",
         "At {index}, {what} should be {want}, got {got} (off by {error}, limit {limit}).",
         "The numbers differ from the reference by more than float32 rounding can explain. The limit is several times "
         "the spread of right answers written in different orders."),
    Code("wrong_integer", "value", "At {index}, {what} should be {want}, got {got}.",
         "Integers and booleans are compared exactly."),
    Code("wrong_scalar", "value", "{what} should be {want}, got {got} (off by {error}, limit {limit}).",
         "A single number that differs from the reference's by more than float32 rounding can explain."),
    Code("wrong_number", "value", "{what} should be {want}, got {got}.",
         "A single number is compared exactly, or within float32 rounding if it is a float."),
    Code("property", "value", "{seen}",
         "The check's title says what must hold; the sentence says what was seen instead."),
    Code("moved", "value", "{change} changed {where} by up to {error} at {index}; it must not change at all.",
         "Some positions must not influence others: the future, padding, other rows of the batch. This check changes "
         "only such a position and watches the rest of the output."),
    Code("no_effect", "value", "{change} did not change {where}; it should.",
         "Something the output must depend on has no influence on it: an argument that is ignored, or a part of the "
         "module that is never called."),
    Code("wrong_support", "value", "{what} produced {got}, which {want}.",
         "Sampling is judged by which tokens can appear at all: a token outside the allowed set must never be drawn."),
    Code("wrong_frequency", "value",
         "{what} was drawn {got} times in {draws}; its probability says about {want}.",
         "Sampling is judged by frequencies, with a limit so wide that a right answer fails fewer than one time in "
         "a billion."),
    Code("not_repeatable", "value", "Two calls with the same input gave different answers: {what} moved by {error}.",
         "In eval mode a module is a function of its input: dropout is off, nothing is kept from the last call."),
    Code("not_random", "value", "Two calls in train mode gave the same {what}, so dropout does nothing.",
         "Attention dropout acts on the weights after softmax, in train mode only."),
    # Gradients
    Code("wrong_gradient", "gradient",
         "At {index}, the gradient of {what} should be {want}, got {got} (off by {error}, limit {limit}).",
         "The output is compared elsewhere; here a random cotangent is sent backwards and the gradients are compared "
         "with the reference's. `.detach()`, `.data`, `torch.no_grad()` and integer casts cut the graph."),
    Code("no_gradient", "gradient", "No gradient reaches {what}.",
         "Nothing connects this tensor with the output: it is never used, or the graph is cut by `.detach()`, `.data`, "
         "`.item()` or `torch.no_grad()`."),
    # Side effects
    Code("input_changed", "side effect", "Your code changed its input {what} in place.",
         "The caller still needs its tensor. `x += y`, `x *= y` and functions that end in `_` write into it; "
         "`x = x + y` makes a new one."),
    Code("global_state", "side effect", "Your code left {what} changed: {got} instead of {want}.",
         "Modes and flags are put back as they were found, also when an error is raised."),
    Code("needs_no_grad", "side effect", "{what} was computed with gradients on.",
         "Generation needs no graph: `torch.no_grad()` saves the memory of every step."),
    # Structure
    Code("missing_file", "structure", "There is no file {file}.", "The file has the exercise's name, in the "
         "submission's folder or in `exercises/` below it."),
    Code("missing_name", "structure", "{file} defines no {name}.{near}",
         "Functions and classes keep the names of the stub: the grader looks them up by name."),
    Code("wrong_structure", "structure",
         "{task} has other parameters than its docstring names. Missing: {missing}. Unexpected: {unexpected}.",
         "The grader puts known weights into your module, by the names in the docstring. Keep those names, or add a "
         "function load_weights(module, weights) to the file that fills your own parameters from them."),
    Code("wrong_parameter_shape", "structure", "Parameter {name} of {task} should have shape {want}, got {got}.",
         "Compare the two shapes axis by axis; the docstring says what each is. An nn.Linear(a, b) holds a weight of "
         "shape (b, a)."),
    Code("parameter_count", "structure", "{task} should have {want} trainable numbers, got {got}.",
         "Fewer: something is shared, or kept in a plain list where PyTorch cannot see it (use nn.ModuleList). "
         "More: a bias that was not asked for, or a table that should be a buffer."),
    Code("unregistered", "structure", "{task} keeps {what} where PyTorch cannot see it ({path}).",
         "Modules in a plain list and tensors in a plain attribute do not move with `.to(device)` and are not saved. "
         "Use nn.ModuleList, nn.Parameter or register_buffer."),
    Code("wrong_device", "structure", "A tensor made inside {task} stays on the CPU when its input is elsewhere.",
         "Give tensors you create `device=x.device`, or register them as buffers so that they move with the module."),
    Code("not_refused", "structure", "{what} was accepted; it should raise ValueError or AssertionError.",
         "A limit that the docstring states is checked and refused with a sentence, not left to a later crash."),
    # Crashes
    Code("raised", "crash", "{task} raised {etype}: {text}{where}",
         "Your code ended with an exception. The line shown is the last one of your own file that was running."),
    Code("import_failed", "crash", "{file} cannot be imported: {etype}: {text}{where}",
         "Python could not run the file from top to bottom, so nothing in it can be graded."),
    Code("syntax_error", "crash", "{file} is not valid Python: {text}{where}",
         "Nothing in the file can run until this line is right. Often the mistake is on the line above it: an open "
         "bracket, a missing colon, or a wrong indentation."),
    Code("breakpoint", "crash", "A `breakpoint()` stopped your code{where}.",
         "Nobody sits at a debugger while the grader runs. Take it out, or stop there with `grade replay`."),
    Code("unreadable_file", "crash", "{file} cannot be read: {problem}.",
         "A submission is a text file in UTF-8, of at most 256 KiB."),
    Code("exited", "crash", "Your code ended the whole program (exit code {exit_code}) instead of returning.",
         "os._exit() and sys.exit() have no place in a module that others import."),
    Code("killed", "crash", "Your code crashed the Python interpreter ({signal}).",
         "This happens with endless recursion in C code, or with memory that is written behind Python's back."),
    # Limits
    Code("off_limits", "crash",
         "{task} wants something from the system that a submission does not get: {etype}: {text}{where}",
         "A submission computes: it gets all it needs as arguments. Files are not written, no more than a few are "
         "open at a time, and there are no connections and no other programs."),
    Code("too_many_threads", "crash", "{task} started more threads than a submission may{where}.",
         "No exercise needs a thread of its own: PyTorch is fast enough on one."),
    Code("cpu_timeout", "time-out", "{task} used more than {limit} s of computing time{where} and was stopped.",
         "The loop never ends, or does far too much. The checks use tiny tensors: every call takes milliseconds."),
    Code("wall_timeout", "time-out", "{task} did not answer within {limit} s and was stopped.",
         "Your code was waiting without computing: input(), sleep(), or a lock."),
    Code("budget", "time-out", "Not run: {exercise} had used up its {limit} s of computing time.",
         "Earlier checks of this exercise took so long that the rest is not run. Make the slow one fast first."),
    Code("memory", "memory", "{task} asked for more memory than the {limit} MB allowed.",
         "The checks use tiny tensors. Look for a shape with one axis too many, or a list that grows without end."),
    Code("too_much_output", "output", "{task} printed more than {limit} MB and was stopped.",
         "Remove the print calls from loops."),
    Code("result_too_large", "output", "{task} returned too much: {problem}.",
         "The result is far larger than the reference's: look for an expanded or repeated tensor."),
    Code("protocol", "protocol", "The answer of {task} could not be read: {problem}.",
         "The grader talks to your code through a channel of its own. Something wrote into it, or closed it."),
    Code("forbidden", "forbidden", "{task} calls {name}, which is what you are asked to write{where}.",
         "PyTorch offers it ready-made, and you will use that from tomorrow on; here the point is to write it once. "
         "The other checks of the task are run all the same, and earn nothing until this one passes."),
    # Notes beside the checks
    Code("other_value", None,
         "Your `{missing}` is another one than the reference's: line {line}, `{source}`.",
         _FOLLOWED),
    Code("right_until", None,
         "Your numbers are right up to line {line}: `{source}`. What the reference makes of them next, its "
         "`{missing}`, appears nowhere in your code.{look}",
         _FOLLOWED),
    Code("leaves_in", None,
         "In line {line} your numbers leave the reference's: `{source}`. Its `{missing}` appears nowhere in your code.",
         _FOLLOWED),
    Code("never_made", None,
         "What the reference makes first, its `{missing}`, appears nowhere in your code.{look}",
         _FOLLOWED),
    Code("part_breaks_it", None,
         "Your {task} is right. With your own {parts} inside it is not: repair that first.",
         "A part that others use is graded with right neighbours, so one mistake costs its points once. This note says "
         "which of your own parts spoils the whole."),
    Code("part_first", None,
         "Your {task} runs here with your own {parts} inside, where checks fail too: repair that first.",
         "A release has no right neighbours to grade a part with, so one mistake can cost the parts that use it. When "
         "you hand in, each part is graded with right neighbours."),
    # Not failures of the student's code
    Code("blocked", None, "Not judged yet: {why}",
         "This check runs your own parts together. It costs nothing while one of them is missing."),
    Code("hidden_here", None, "Hidden: not run here; it is judged when you hand in.",
         "A hidden check is kept by whoever grades: its points count then, and cost nothing here."),
    Code("not_recorded", None,
         "Not judged here: your answer leads to a question to the reference that this release holds no answer to.",
         "A release holds the reference's answers instead of the reference. This check asks on with what your code "
         "gave, and that was not foreseen: it is judged when you hand in, and costs nothing here."),
    Code("not_started", None, "{task} is not written yet.",
         "The stub is still there: replace the line that raises NotImplementedError."),
    Code("engine", None, "This check could not be judged: {problem}.",
         "The fault is the grader's, not yours. It costs no points by itself: run it again, and report it."),
]  # fmt: skip

NAMES = ("what", "missing", "unexpected")  # these may be names of code, as `value` or `mask`, or words of ours

CODES: dict[str, Code] = {code.slug: code for code in _ALL}


class _Forgiving(string.Formatter):
    """A name that is not in `values` stays visible as {name}: an old results file must still be shown."""

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
        return kwargs.get(key, "{" + str(key) + "}")


def render(code: str | None, values: dict[str, Any]) -> str:
    """The English sentence of a check, which results.json keeps; an unknown code shows itself and its values."""
    if code is None:
        return ""
    if code not in CODES:
        return f"{code}: {values}"
    sentence = _Forgiving().vformat(CODES[code].sentence, (), values)
    return f"The {sentence[4:]}" if sentence.startswith("the ") else sentence


def shown(code: str | None, values: dict[str, Any], message: str) -> str:
    """The sentence in the language of the reader. `message`: what the file says, in English."""
    if current() == "en" or code not in CODES or not values:
        return said(message or render(code, values))
    translated = {key: value if key in OTHERS else _translated(key, value) for key, value in values.items()}
    return _Forgiving().vformat(_(CODES[code].sentence), (), translated)


def _translated(key: str, value: Any) -> Any:
    if not isinstance(value, str) or (key in NAMES and value.isidentifier() and value != "none"):
        return value
    if key == "parts":
        return _(" and ").join(value.split(" and "))
    known = said(value)
    return known if known != value else ": ".join(map(said, value.split(": ")))  # a name behind what it is of
