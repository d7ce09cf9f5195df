"""YAML is cut between keys and items, which keep their comments and tell what they are part of."""

from chunk_checks import cut_text, texts

WORDS = "some words to fill the line " * 4

SHOP = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
spec:
  replicas: 2
  containers:
    # answers the shop
    - image: shop
      name: server
      args: {0}
      probe: {0}
      ports: {0}
    # keeps the baskets
    - image: redis
      name: basket-store
      args: {0}
      probe: {0}
      limits: {0}
---
kind: Service
apiVersion: v1
metadata:
  labels: {{app: cart}}
  name: cart-entry
""".format(f'["{WORDS}", "{WORDS}"]')


def test_a_manifest_is_named_by_its_kind_and_name_and_an_item_by_its_own_name():
    names = [piece.name for piece in cut_text(SHOP, "yaml").pieces]
    assert names[0] == "Deployment cart"
    assert names[-1] == "Service cart-entry"
    assert "Deployment cart.spec.containers.basket-store" in names


def test_a_piece_never_spans_two_documents():
    text = "".join(f"---\nkind: Role\nmetadata:\n  name: r{number}\n" for number in range(3))
    result = cut_text(text, "yaml")
    assert [piece.name for piece in result.pieces] == ["Role r0", "Role r1", "Role r2"]
    assert all(part.startswith("---\n") for part in texts(text, result))


def test_a_comment_belongs_to_the_key_below_it():
    filler = "".join(f"  key{number}: {WORDS}\n" for number in range(9))
    text = f"first:\n{filler}\n# How long an order waits.\n# In seconds.\npatience:\n{filler}"
    parts = texts(text, cut_text(text, "yaml"))
    assert [part for part in parts if part.startswith("# How long an order waits.\n# In seconds.\npatience:")]


def test_a_deeper_comment_below_a_key_stays_with_it():
    filler = "".join(f"  key{number}: {WORDS}\n" for number in range(9))
    text = f"labels: {{}}\n  # team: shop\npods:\n{filler}ports:\n{filler}"
    parts = texts(text, cut_text(text, "yaml"))
    assert parts[0] == "labels: {}\n  # team: shop"


def test_the_text_of_a_block_scalar_has_no_keys():
    lines = "".join(f'        echo "step {number}: {WORDS}"\n        next: line\n' for number in range(9))
    text = f"jobs:\n  build:\n    steps:\n    - name: Tag\n      run: |\n{lines}    - name: Push\n      run: |\n{lines}"
    names = {piece.name for piece in cut_text(text, "yaml").pieces}
    assert names <= {
        "jobs.build.steps.Tag",
        "jobs.build.steps.Tag.name",
        "jobs.build.steps.Tag.run",
        "jobs.build.steps.Push",
        "jobs.build.steps.Push.name",
        "jobs.build.steps.Push.run",
    }
    assert "jobs.build.steps.Push.run" in names


def test_an_item_without_a_name_is_called_after_its_first_line():
    task = "  tasks:\n" + "".join(f"  - shell: {WORDS}\n" for _ in range(9))
    text = f"- hosts: web servers  # all of them\n{task}- hosts: databases\n{task}"
    names = [piece.name for piece in cut_text(text, "yaml").pieces]
    assert any(name.startswith("web servers") for name in names)
    assert any(name.startswith("databases") for name in names)


def test_a_condition_of_a_template_goes_with_the_key_below_it():
    filler = "".join(f"  key{number}: {WORDS}\n" for number in range(9))
    text = f"spec:\n{filler}{{{{- if .Values.probe }}}}\nprobe:\n{filler}{{{{- end }}}}\n"
    parts = texts(text, cut_text(text, "yaml"))
    assert any(part.startswith("{{- if .Values.probe }}\nprobe:") for part in parts)


def test_strange_yaml_is_cut_all_the_same():
    for text in (
        "---\n---\n",
        "- - - a\n",
        "a: |\n",
        "%YAML 1.2\n---\nplain\n",
        "? a\n: b\n",
        "\t- x: 1\n",
        "key:\r\n  a: 1\r\n",
    ):
        cut_text(text, "yaml")
    cut_text("".join(f"{' ' * depth}k:\n" for depth in range(2_000)), "yaml")


def test_items_of_a_list_in_one_piece_have_the_names_of_all():
    tasks = "".join(f"- name: {name}\n  run: {WORDS}\n" for name in ("Stop the shop.", "Start the shop."))
    assert [piece.name for piece in cut_text(tasks, "yaml").pieces] == ["Stop the shop., Start the shop."]
    settings = "port: 80\nservice:\n  name: cart\n  kind: http\n"
    assert [piece.name for piece in cut_text(settings, "yaml").pieces] == [""]


def test_a_manifest_whose_name_a_template_computes_is_named_by_its_kind():
    text = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ include "cart.name" . }}\nspec:\n  type: ClusterIP\n'
    assert [piece.name for piece in cut_text(text, "yaml").pieces] == ["Service"]


def test_a_notice_of_copyright_is_a_piece_of_its_own():
    notice = "# Copyright 2026 The shop\n" + "# Licensed under the terms of the shop.\n" * 6
    text = f"{notice}\n# How long an order waits.\npatience: 3\n"
    assert texts(text, cut_text(text, "yaml")) == [notice.strip(), "# How long an order waits.\npatience: 3"]


def test_a_comment_about_the_key_to_a_program_is_no_notice():
    text = (
        "# Set licenseKey before use, or the chart runs in demo mode for thirty days.\n"
        "# A license key costs nothing for schools; ask the shop for one, and store it as a secret.\n"
        "# It is read once, when the service starts, and again after each reload of it.\n"
        "licenseKey: x\n"
    )
    assert texts(text, cut_text(text, "yaml")) == [text.strip()]
