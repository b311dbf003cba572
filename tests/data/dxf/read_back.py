#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a DXF file with ezdxf (python3-ezdxf), audits it, and prints what it holds as JSON."""
import json
import sys

import ezdxf

document = ezdxf.readfile(sys.argv[1])
auditor = document.audit()
layers, polylines, texts = {}, [], []
for layer in document.layers:
    layers[layer.dxf.name] = {"colour": layer.color, "counts": {}}
for entity in document.modelspace():
    counts = layers.setdefault(entity.dxf.layer, {"colour": None, "counts": {}})["counts"]
    counts[entity.dxftype()] = counts.get(entity.dxftype(), 0) + 1
    if entity.dxftype() == "LWPOLYLINE":
        polylines.append({"layer": entity.dxf.layer, "closed": bool(entity.closed),
                          "points": [[x, y] for x, y, *_ in entity.get_points("xy")]})
    elif entity.dxftype() == "TEXT":
        align, place, _ = entity.get_pos()
        texts.append({"layer": entity.dxf.layer, "text": entity.plain_text(), "at": [place.x, place.y], "align": align,
                      "height": entity.dxf.height, "rotation": entity.dxf.rotation,
                      "mirrored": bool(entity.dxf.text_generation_flag)})
print(json.dumps({
    "release": document.dxfversion,
    "units": document.units,
    "measurement": document.header.get("$MEASUREMENT"),
    "extmin": list(document.header["$EXTMIN"]),
    "extmax": list(document.header["$EXTMAX"]),
    "errors": [e.message for e in auditor.errors],
    "fixes": [e.message for e in auditor.fixes],
    "layers": layers,
    "polylines": polylines,
    "texts": texts,
}))
