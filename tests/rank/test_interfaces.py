"""What a module of Terraform makes stands before its inputs and outputs, which describe it in more words, unless these are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.rank.texts.interfaces import INTERFACE_PRIOR, asks_for_interface, interface_priors
from support import opened_project

RESOURCE = (
    'resource "aws_nat_gateway" "this" {\n'
    "  count         = var.enable_nat_gateway ? local.nat_gateway_count : 0\n"
    "  allocation_id = local.nat_gateway_ips[count.index]\n"
    "  tags          = merge(var.tags, var.nat_gateway_tags)\n}\n"
)
VARIABLE = (
    'variable "enable_nat_gateway" {\n'
    '  description = "Whether to provision a NAT gateway for your private networks"\n'
    "  type        = bool\n  default     = false\n}\n"
)
OUTPUT = (
    'output "nat_gateway_id" {\n  description = "The NAT gateway"\n  value = aws_nat_gateway.this.id\n}\n'
)


def test_a_variable_and_an_output_count_less_than_a_resource():
    texts = [RESOURCE, VARIABLE, OUTPUT, f"# Of all zones.\n\n{VARIABLE}", 'locals {\n  variable = "x"\n}\n']
    below = pytest.approx(INTERFACE_PRIOR)
    assert interface_priors(texts).tolist() == [1.0, below, below, below, 1.0]


@pytest.mark.parametrize("question", ["which variable turns it on?", "what is the default?", "its outputs"])
def test_a_question_about_the_interface_asks_for_it(question):
    assert asks_for_interface(question)
    assert not asks_for_interface("where is the NAT gateway created?")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Daypack]:
    files = {"main.tf": RESOURCE, "variables.tf": VARIABLE, "outputs.tf": OUTPUT}
    with opened_project(tmp_path, files) as daypack:
        yield daypack


def first(store: Daypack, question: str) -> str:
    return store.search(question, limit=1, vectors="none").candidates[0].chunk.name


def test_the_question_for_a_thing_finds_the_resource_and_that_for_its_default_the_variable(store):
    assert first(store, "where is the NAT gateway created?") == "aws_nat_gateway.this"
    assert first(store, "is a NAT gateway provisioned by default?") == "enable_nat_gateway"
