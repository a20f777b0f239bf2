"""The kinds of findings that rest on no rule of a system: about files, their encoding and form,
side inputs, and commands.
"""

from __future__ import annotations

from collections.abc import Sequence

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Remedy

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO
WALKED = Bearing("walked")
AMBIGUOUS_SERVER_NAME = FindingKind("ambiguous-server-name", WARNING)
ARCHIVE_LIMIT = FindingKind("archive-limit", ERROR)
ARCHIVE_MEMBER_REFUSED = FindingKind("archive-member-refused", WARNING)
ARCHIVE_MEMBER_TWICE = FindingKind("archive-member-twice", WARNING)
ARCHIVE_NAMES_DIFFER_IN_CASE = FindingKind("archive-names-differ-in-case", INFO)
ARCHIVE_TRAILING_DATA = FindingKind("archive-trailing-data", WARNING)
ARCHIVE_UNREADABLE = FindingKind("archive-unreadable", ERROR)
BINARY_FILE = FindingKind("binary-file", ERROR)
BUS_BY_FOLDER = FindingKind("bus-by-folder", WARNING)
CLIENTS_EMPTY = FindingKind("clients-empty", WARNING)
CLIENTS_INVALID = FindingKind("clients-invalid", ERROR)
CLIENTS_UNREADABLE = FindingKind("clients-unreadable", ERROR)
COMMAND_REFUSED = FindingKind("command-refused", ERROR)
COPY_NOT_READ = FindingKind(
    "copy-not-read",
    WARNING,
    Remedy(
        "Leave {file} out (exclude), or choose it in topograph.yaml (servers).",
        "{server} is read from the other file: if this one runs, answers are about another state.",
    ),
    "server",
    Bearing("nothing", "The file that counts has the name that is read, or is the newer dump."),
)
CUT_OFF = FindingKind(
    "cut-off",
    ERROR,
    Remedy(
        "Import the whole of {file}.",
        "It is not known what is behind its end, and answers that could depend on it are open.",
    ),
    "server",
    Bearing("opens"),
)
DEFAULTS_NOT_EVALUATED = FindingKind("defaults-not-evaluated", WARNING)
DESTINATION_DEFINED_TWICE = FindingKind("destination-defined-twice", WARNING)
DISCARDED = FindingKind("discarded", WARNING)
DISCARDING_NOT_KNOWN = FindingKind("discarding-not-known", WARNING)
DUPLICATE_PARAMETER = FindingKind(
    "duplicate-parameter",
    WARNING,
    about="server",
    bearing=Bearing("nothing", "The last value counts."),
)
EMPTY_SECTION = FindingKind(
    "empty-section",
    WARNING,
    about="destination",
    bearing=Bearing("nothing", "A section without a line says nothing."),
)
ENCODING = FindingKind("encoding", WARNING)
FILE_NAME_COLLISION = FindingKind("file-name-collision", ERROR)
FILE_NAME_NOT_TEXT = FindingKind("file-name-not-text", INFO)
FILE_TOO_LARGE = FindingKind(
    "file-too-large",
    WARNING,
    Remedy("Split or clean {file}, and import again.", "Nothing of this file is known."),
)
FORWARDS_NOT_PUBLISHED = FindingKind("forwards-not-published", WARNING)
GIT_ENTRY_REFUSED = FindingKind("git-entry-refused", WARNING)
GIT_LFS_POINTER = FindingKind("git-lfs-pointer", WARNING)
GIT_SUBMODULE = FindingKind("git-submodule", WARNING)
HIDDEN_NAME_IN_DOUBT = FindingKind(
    "hidden-name-in-doubt",
    ERROR,
    Remedy(
        "Give what has this name on {server} one without a password, and change the password.",
        "What a pattern or another name means may be something else than answers say.",
    ),
    "server",
    Bearing("nothing", "Names are compared as they are kept."),
)
HIDDEN_FILE = FindingKind("hidden-file", INFO)
IMPORTER_FAILED = FindingKind("importer-failed", ERROR)
INCOMPLETE_BUS = FindingKind("incomplete-bus", WARNING)
INTERNAL_ERROR = FindingKind("internal-error", ERROR)
INVALID_JSON = FindingKind("invalid-json", ERROR)
INVALID_YAML = FindingKind("invalid-yaml", ERROR)
LINK_BROKEN = FindingKind("link-broken", WARNING)
LINK_FOLLOWED = FindingKind("link-followed", INFO)
LINK_OUT_OF_ROOT = FindingKind("link-out-of-root", WARNING)
MEMBER_NOT_KNOWN = FindingKind("member-not-known", WARNING)
MORE_FINDINGS = FindingKind("more-findings", WARNING)
NAME_HIDDEN = FindingKind(
    "name-hidden",
    WARNING,
    Remedy(
        "If the name holds a password, give {server} another name for it, and change the password.",
        "Whoever may see the configuration, or what the servers say of it, may see the password.",
    ),
    "server",
    Bearing("nothing", "The name that stands for it is compared as it would be."),
)
NO_WAY_OUT = FindingKind(
    "no-way-out",
    WARNING,
    Remedy(
        "Give the state a way, in the rules of its system: to an ending if messages stay.",
        "Answers over {server} leave open what lies behind it.",
    ),
)
NOT_A_SCRIPT = FindingKind("not-a-script", ERROR)
NOT_REACHED = FindingKind("not-reached", WARNING)
NOT_SAVED = FindingKind("not-saved", WARNING)
NOT_TEXT = FindingKind("not-text", ERROR)
NOT_UTF_8 = FindingKind("not-utf-8", WARNING)
NO_BUS = FindingKind("no-bus", WARNING)
NO_NAME = FindingKind("no-name", WARNING)
OTHER_DOCUMENT = FindingKind("other-document", WARNING)
OWNER_ASSUMED = FindingKind("owner-assumed", INFO)
POLICIES_INVALID = FindingKind("policies-invalid", ERROR)
POLICIES_UNREADABLE = FindingKind("policies-unreadable", ERROR)
REDACTION_WORD_STAYS = FindingKind("redaction-word-stays", INFO)
RUNS_OTHER_FILES = FindingKind("runs-other-files", ERROR)
SAVING_NOT_KNOWN = FindingKind("saving-not-known", WARNING)
SCRIPT_CUT = FindingKind("script-cut", ERROR)
SCRIPT_TOO_LARGE = FindingKind("script-too-large", ERROR)
SEVERAL_BUSES_OF_ONE_NAME = FindingKind("several-buses-of-one-name", ERROR)
SEVERAL_ESTATES = FindingKind(
    "several-estates",
    ERROR,
    Remedy(
        "Name one folder with -s, or keep the other estate elsewhere.",
        "{server} is described in two ways, and no answer says which of them runs.",
    ),
    "server",
    Bearing("opens"),
)
SIDE_INPUTS_INVALID = FindingKind("side-inputs-invalid", ERROR)
PART_OF_NETWORK = FindingKind(
    "part-of-network",
    INFO,
    about="server",
    bearing=Bearing("nothing", "Answers are about the servers that are loaded."),
)
SIDE_INPUTS_NOT_USED = FindingKind("side-inputs-not-used", WARNING)
SIDE_INPUTS_UNREADABLE = FindingKind("side-inputs-unreadable", ERROR)
SIDE_INPUTS_UNKNOWN_SERVER = FindingKind("side-inputs-unknown-server", WARNING)
PATTERN_INVALID = FindingKind("pattern-invalid", ERROR)
SPECIAL_FILE = FindingKind("special-file", WARNING)
TEMPLATE = FindingKind("template", WARNING)
UNKNOWN_DIRECTIVE = FindingKind(
    "unknown-directive",
    WARNING,
    Remedy(
        "Correct the spelling of this entry, or remove it.",
        "{server} does not run with what this entry says.",
    ),
    about="server",
    bearing=Bearing(
        "nothing",
        "Where the entry may decide something, its reader takes that as unknown.",
    ),
)
UNREADABLE_FILE = FindingKind("unreadable-file", ERROR)
UNREADABLE_FOLDER = FindingKind("unreadable-folder", ERROR)
UNSUPPORTED_FILE = FindingKind("unsupported-file", WARNING, about="server", bearing=WALKED)
_WAIVES = Bearing("nothing", "A waiver decides what is reported, not what servers do.")
WAIVER = FindingKind("waiver", INFO, None, "server", _WAIVES)
WAIVER_EXPIRED = FindingKind(
    "waiver-expired",
    WARNING,
    Remedy("Mend what was waived, or give the waiver a later date.", "The waiver does not count."),
    "server",
    _WAIVES,
)
WAIVER_UNUSED = FindingKind(
    "waiver-unused",
    WARNING,
    Remedy("Remove the waiver, or correct its rule, server or file.", "It waives nothing."),
    "server",
    _WAIVES,
)
WAIVER_WITHOUT_REASON = FindingKind(
    "waiver-without-reason",
    WARNING,
    Remedy("Write the reason behind the rule in the comment.", "The waiver does not count."),
    "server",
    _WAIVES,
)
WAYS_CUT = FindingKind("ways-cut", WARNING)
XML_NOT_READ = FindingKind("xml-not-read", ERROR)
YAML_LIMIT = FindingKind("yaml-limit", ERROR)
YAML_TOO_LARGE = FindingKind("yaml-too-large", ERROR)

KINDS: Sequence[FindingKind] = tuple(
    one for one in list(globals().values()) if isinstance(one, FindingKind)
)
"""All of them."""
