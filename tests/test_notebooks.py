"""The notebook of a tutorial, made from its page."""

from __future__ import annotations

import json

from notebooks import PAGES, notebook_of
from tests.conftest import REPO

PAGE = """# Title

Words.

```python
print(1)
```

```text
1
```

More words:

```text
not an output
```

```python
a = 2
```
"""


def test_a_page_becomes_cells_with_their_outputs() -> None:
    cells = notebook_of(PAGE)["cells"]
    assert [cell["cell_type"] for cell in cells] == ["markdown", "code", "markdown", "code"]
    assert cells[1]["source"] == "print(1)"
    assert cells[1]["outputs"] == [{"output_type": "stream", "name": "stdout", "text": "1\n"}]
    assert "not an output" in cells[2]["source"]
    assert cells[3]["source"] == "a = 2"
    assert cells[3]["outputs"] == []
    assert len({cell["id"] for cell in cells}) == len(cells)


def test_the_notebook_of_a_tutorial_holds_all_its_code_in_order() -> None:
    for name in PAGES:
        page = (REPO / "docs" / f"{name}.md").read_text(encoding="utf-8")
        book = json.loads(json.dumps(notebook_of(page)))
        code = [cell["source"] for cell in book["cells"] if cell["cell_type"] == "code"]
        assert len(code) == page.count("```python\n")
        compile("\n".join(code), name, "exec")
        assert f"{name.rpartition('/')[2]}.ipynb" in page
        assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
