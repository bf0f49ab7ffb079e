"""The tools that are compared, in the order of the tables."""

from adapters.bapctools import Bapctools, BapctoolsTest
from adapters.bare import Bare, BareOneCpu
from adapters.dmoj import Dmoj
from adapters.oj import Oj
from adapters.problemtools import Problemtools
from adapters.rbx import Rbx
from adapters.rejoinder import Rejoinder

ADAPTERS = [BareOneCpu, Bare, Rejoinder, Problemtools, Bapctools, BapctoolsTest, Rbx, Dmoj, Oj]
