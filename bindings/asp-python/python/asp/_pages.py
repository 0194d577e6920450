"""What notebooks show."""

from __future__ import annotations

import base64
import html
from typing import Optional

from ._asp import Model


def of_model(model: Model) -> Optional[str]:
    """A model as HTML: its picture, and its atoms below; without a picture only the atoms."""
    atoms = html.escape(str(model))
    text = f'<code style="overflow-wrap:anywhere">{atoms}</code>'
    svg = model.svg()
    if svg is None:
        return f"<p>{text}</p>"
    # As an image, for its styles are not meant for the page around it.
    data = base64.b64encode(svg.encode()).decode()
    image = f'<img alt="{atoms}" src="data:image/svg+xml;base64,{data}">'
    return f"<figure style=\"margin:0\">{image}<details><summary>atoms</summary>{text}</details></figure>"


def of_page(page: str) -> str:
    """A page, in a frame of its own."""
    style = "width:100%;height:24em;border:1px solid #8888;border-radius:6px"
    return f'<iframe style="{style}" srcdoc="{html.escape(page)}"></iframe>'
