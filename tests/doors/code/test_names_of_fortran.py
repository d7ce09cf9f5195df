"""Names of Fortran: derived types, bound procedures, heads without bodies."""

from __future__ import annotations

from pathlib import Path

from code_support import opened

FORTRAN = """\
!> Levels of the sea
module tides
  use harbour, only : port_t
  implicit none
  integer, parameter :: most = 5

  !> A tide
  type, extends(port_t) :: tide_t
    real :: level = 0.0
  contains
    procedure :: rise
  end type tide_t

contains

  !> Raise the level
  subroutine rise(self, by)
    class(tide_t), intent(inout) :: self
    real, intent(in) :: by
    self%level = doubled(self%level + by)
  end subroutine rise

  pure elemental real function doubled(x) result(y)
    real, intent(in) :: x
    y = 2 * x
  end function doubled
end module tides
"""
MAIN = """\
program main
  use tides, only : tide_t
  type(tide_t) :: tide
  call tide%rise(1.0)
end program main
"""


def test_callers_in_fortran_are_found_by_name_and_by_bound_procedure(tmp_path: Path) -> None:
    files = {
        "src/tides.f90": FORTRAN,
        "app/main.f90": MAIN,
        "src/harbour.f90": "module harbour\n  type :: port_t\n  end type port_t\nend module harbour\n",
    }
    with opened(tmp_path / "app", files) as dp:
        callers = {
            name: [row.at for row in dp.code.callers(name)]
            for name in ("rise", "doubled", "tide_t", "port_t")
        }
        assert dp.code.symbol("rise").signature == "subroutine rise(self, by)"
        assert dp.code.symbol("rise").doc == "Raise the level"
        assert dp.code.symbol("tide_t").signature == "type, extends(port_t) :: tide_t"
        assert dp.code.symbol("doubled").end_line == 26
    assert callers == {
        "rise": ["app/main.f90:4", "src/tides.f90:11"],
        "doubled": ["src/tides.f90:20"],
        "tide_t": ["app/main.f90:3", "src/tides.f90:18"],
        "port_t": ["src/tides.f90:8"],
    }
