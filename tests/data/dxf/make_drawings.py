#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Made the drawings of this folder with ezdxf 0.18 (python3-ezdxf): another program's files with known coordinates.

    /usr/bin/python3 make_drawings.py     in this folder; the files are kept, so that the tests need not run it
"""
import ezdxf
from ezdxf import units


def everything():
    """One of each kind, millimetres, release 2010."""
    doc = ezdxf.new("R2010")
    doc.units = units.MM
    doc.layers.add("WALLS", color=1)
    doc.layers.add("GRID", color=3).off()
    doc.layers.add("FROZEN", color=5).freeze()
    doc.layers.add("T\u00dcREN", color=140)
    space = doc.modelspace()
    on = lambda layer, **more: {"layer": layer, **more}
    space.add_line((0, 0), (12000, 0), dxfattribs=on("WALLS"))
    space.add_lwpolyline([(0, 0), (12000, 0), (12000, 8000), (0, 8000)], close=True, dxfattribs=on("WALLS"))
    # A half circle of radius 500 to the right of the line from (1000, 1000) to (1000, 2000): a bulge above 0 turns
    # counter-clockwise.
    space.add_lwpolyline([(1000, 1000, 1.0), (1000, 2000, 0.0)], format="xyb", dxfattribs=on("T\u00dcREN"))
    space.add_circle((3000, 4000), 250, dxfattribs=on("WALLS", color=2))
    space.add_arc((5000, 5000), 1000, 0, 90, dxfattribs=on("T\u00dcREN"))
    space.add_ellipse((8000, 4000), (2000, 0), 0.5, dxfattribs=on("WALLS"))
    # Bezier curve of degree 3: its middle is (1/8)(p0 + 3 p1 + 3 p2 + p3) = (1500, 6750).
    space.add_open_spline([(0, 6000), (1000, 7000), (2000, 7000), (3000, 6000)], degree=3, dxfattribs=on("WALLS"))
    space.add_point((100, 200), dxfattribs=on("GRID"))
    space.add_line((6000, -100), (6000, 8100), dxfattribs=on("GRID"))
    space.add_line((0, 4000), (12000, 4000), dxfattribs=on("FROZEN"))
    space.add_text("R\u00e4ume 50%%d", dxfattribs=on("WALLS", height=300)).set_pos((6000, 7000), align="MIDDLE_CENTER")
    space.add_mtext("{\\fArial|b1;Hall A}\\Prating \\H2x;1221",
                    dxfattribs=on("WALLS", char_height=200, insert=(500, 7500), attachment_point=1))
    space.add_solid([(9000, 1000), (9400, 1000), (9000, 1200), (9400, 1200)], dxfattribs=on("WALLS"))
    hatch = space.add_hatch(color=4, dxfattribs=on("WALLS"))
    hatch.paths.add_polyline_path([(10000, 1000), (11000, 1000), (11000, 1500), (10000, 1500)], is_closed=True)
    edges = hatch.paths.add_edge_path()
    edges.add_arc((10500, 6000), 300, 0, 360)
    # A rack of 600 x 1200 as a block with a base point, on layer 0: it takes the layer of its insert.
    rack = doc.blocks.new("RACK", base_point=(300, 600))
    rack.add_lwpolyline([(0, 0), (600, 0), (600, 1200), (0, 1200)], close=True, dxfattribs=on("0"))
    space.add_blockref("RACK", (2000, 3000), dxfattribs=on("WALLS"))
    # Turned by 90 degrees: 1200 wide and 600 deep about (4000, 2000).
    space.add_blockref("RACK", (4000, 2000), dxfattribs=on("WALLS", rotation=90))
    # A pair of racks, one mirrored, as a block of blocks; then 3 columns x 2 rows of it at double size.
    pair = doc.blocks.new("PAIR")
    pair.add_blockref("RACK", (300, 600), dxfattribs=on("0"))
    pair.add_blockref("RACK", (900, 600), dxfattribs=on("0", xscale=-1))
    space.add_blockref("PAIR", (20000, 0), dxfattribs=on("WALLS", xscale=2, yscale=2, column_count=3, row_count=2,
                                                         column_spacing=3000, row_spacing=4000))
    loop = doc.blocks.new("LOOP")
    loop.add_line((0, 0), (1, 1))
    loop.add_blockref("LOOP", (0, 0))
    space.add_blockref("LOOP", (100, 100), dxfattribs=on("GRID"))
    space.add_linear_dim(base=(0, -800), p1=(0, 0), p2=(12000, 0), override={"dimtxt": 150}).render()
    space.add_ray((0, 0), (1, 0))
    space.add_ray((0, 0), (0, 1))
    doc.saveas("everything_r2010.dxf")


def release_12():
    """R12 without a unit: POLYLINE with a bulge, a smoothed one, MEASUREMENT not there."""
    doc = ezdxf.new("R12")
    space = doc.modelspace()
    space.add_polyline2d([(0, 0), (100, 0), (100, 50)], close=True)
    curve = space.add_polyline2d([(0, 0), (10, 0)], dxfattribs={"layer": "ARCS"})
    curve.vertices[0].dxf.bulge = 1.0
    space.add_text("inches?", dxfattribs={"height": 2.5}).set_pos((1, 1))
    for name in ("$INSUNITS", "$MEASUREMENT"):
        if name in doc.header:
            del doc.header[name]
    doc.saveas("release_12.dxf")


def in_feet():
    doc = ezdxf.new("R2000")
    doc.units = units.FT
    doc.modelspace().add_line((0, 0), (40, 0))
    doc.modelspace().add_circle((20, 10), 5)
    doc.saveas("feet.dxf")


def measurement_only():
    doc = ezdxf.new("R2000")
    doc.header["$INSUNITS"] = 0
    doc.header["$MEASUREMENT"] = 1
    doc.modelspace().add_line((0, 0), (4000, 3000))
    doc.saveas("measurement_only.dxf")


def mirrored():
    """Drawn from behind: extrusion (0, 0, -1) turns x over."""
    doc = ezdxf.new("R2004")
    doc.units = units.M
    space = doc.modelspace()
    space.add_circle((2, 3), 1, dxfattribs={"extrusion": (0, 0, -1)})
    space.add_lwpolyline([(1, 0), (2, 0), (2, 1)], dxfattribs={"extrusion": (0, 0, -1)})
    space.add_circle((50, 50), 1, dxfattribs={"extrusion": (1, 0, 0)})
    doc.saveas("mirrored.dxf")


everything()
release_12()
in_feet()
measurement_only()
mirrored()
