// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <rapidcheck.h>

#include "design/rack_edits.h"

using namespace hallwright;

namespace {

bool has(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }
bool equal(const Design& a, const Design& b) { return differences(a, b).empty(); }

/// A cabinet of 48 units, a node of 8, a switch of 1, one of 1.5, a node without a height, a rack PDU.
Catalog parts() {
  Catalog c;
  RackPart cabinet, open_rack;
  cabinet.id = "cabinet", cabinet.name = "Cabinet 48U", cabinet.rack_units = 48.0, cabinet.kind = "cabinet";
  open_rack.id = "open", open_rack.name = "Open rack", open_rack.rack_units = 44.0, open_rack.kind = "ORv3";
  c.racks = {cabinet, open_rack};
  NodePart node, vague;
  node.id = "node", node.name = "Node", node.rack_units = 8.0;
  vague.id = "vague", vague.name = "Vague node";
  c.nodes = {node, vague};
  SwitchPart thin, odd;
  odd.id = "odd", odd.name = "Odd switch", odd.rack_units = 1.5;
  thin.id = "thin", thin.name = "Thin switch", thin.rack_units = 1.0;
  c.switches = {odd, thin};
  PowerPart pdu;
  pdu.id = "pdu", pdu.name = "Rack PDU", pdu.kind = "rack pdu";
  c.power = {pdu};
  return c;
}

struct Sample {
  Catalog catalog = parts();
  Design design;
  Id type = 0, nodes = 0;
  std::vector<Id> racks;
  template <class M, class E>
  Id add(M member, E entity) {
    Made made = add_entity(design, member, std::move(entity));
    design = made.design;
    return made.entities.at(0).id;
  }
  const RackItem& item(const Design& d, Id id) const { return *find(*d.rack_items, id); }
};

/// Two racks of a type that holds four nodes from U3: U3 to U34.
Sample sample() {
  Sample s;
  s.type = s.add(&Design::rack_types, RackType{.name = "Four nodes", .rack_part = "cabinet"});
  s.nodes =
      s.add(&Design::rack_items, RackItem{.rack_type = s.type, .part = "node", .count = 4, .lowest_half_unit = 5});
  for (int i = 0; i < 2; ++i)
    s.racks.push_back(s.add(&Design::racks, Rack{.name = "R" + std::to_string(i + 1), .rack_type = s.type}));
  return s;
}

} // namespace

class TestRackEdits : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void slots_of_a_stack() {
    const Sample s = sample();
    const RackSlots places = rack_slots(s.catalog, s.design.rack_types->front(), *s.design.rack_items);
    QCOMPARE(places.cabinet.value(), Count{96});
    QCOMPARE(places.places.size(), std::size_t{4});
    // 8 units each from U3: U3, U11, U19, U27, the last one up to U34.
    for (std::size_t i = 0; i < 4; ++i)
      QCOMPARE(places.places[i].lowest_half_unit, Count{5} + 16 * static_cast<Count>(i));
    QCOMPARE(places.places[3].highest_half_unit(), Count{68});
    QVERIFY(places.overlaps.empty());
    QCOMPARE(places.free_half_units(true).value(), Count{32});
    QCOMPARE(places.free_half_units(false).value(), Count{32});
    // U35 to U48 is the longest gap.
    QCOMPARE(places.largest_gap(), (std::pair<Count, Count>{69, 28}));
  }

  void half_units_in_words() {
    QCOMPARE(half_unit_text(5), std::string("U3"));
    QCOMPARE(half_unit_text(6), std::string("the upper half of U3"));
    QCOMPARE(half_unit_range(5, 16), std::string("U3 to U10"));
    QCOMPARE(half_unit_range(5, 2), std::string("U3"));
    QCOMPARE(half_unit_range(6, 3), std::string("U3.5 to U4"));
  }

  void faces_share_a_unit_only_front_against_rear() {
    Sample s = sample();
    const Id front = s.add(&Design::rack_items, RackItem{.rack_type = s.type,
                                                         .kind = RackItemKind::network_switch,
                                                         .part = "thin",
                                                         .lowest_half_unit = 71,
                                                         .mount = RackMount::front});
    s.add(&Design::rack_items, RackItem{.rack_type = s.type,
                                        .kind = RackItemKind::network_switch,
                                        .part = "thin",
                                        .lowest_half_unit = 71,
                                        .mount = RackMount::rear});
    RackSlots places = rack_slots(s.catalog, s.design.rack_types->front(), *s.design.rack_items);
    QVERIFY(places.overlaps.empty());
    QCOMPARE(places.free_half_units(true).value(), Count{30});
    // A full-depth part at one of them meets both.
    s.add(&Design::rack_items,
          RackItem{.rack_type = s.type, .kind = RackItemKind::network_switch, .part = "odd", .lowest_half_unit = 70});
    places = rack_slots(s.catalog, s.design.rack_types->front(), *s.design.rack_items);
    QCOMPARE(places.overlaps.size(), std::size_t{2});
    // Beside the rails nothing is taken.
    auto moved = move_in_rack(s.design, s.catalog, front, {71, RackMount::zero_u_left});
    QVERIFY(moved.has_value());
    places = rack_slots(s.catalog, moved->rack_types->front(), *moved->rack_items);
    QCOMPARE(places.overlaps.size(), std::size_t{1});
  }

  void overflow_and_unknown_heights() {
    Sample s = sample();
    auto four_more =
        s.add(&Design::rack_items, RackItem{.rack_type = s.type, .part = "node", .count = 2, .lowest_half_unit = 69});
    RackSlots places = rack_slots(s.catalog, s.design.rack_types->front(), *s.design.rack_items);
    // U35 to U42 stands, U43 to U50 is above 48.
    QVERIFY(!places.places[4].overflows);
    QVERIFY(places.places[5].overflows);
    Q_UNUSED(four_more);
    // What has no height surely takes its lowest half unit only.
    s.add(&Design::rack_items, RackItem{.rack_type = s.type, .part = "vague", .lowest_half_unit = 4});
    places = rack_slots(s.catalog, s.design.rack_types->front(), *s.design.rack_items);
    QVERIFY(places.overlaps.empty());
    s.add(&Design::rack_items, RackItem{.rack_type = s.type, .part = "vague", .lowest_half_unit = 5});
    QCOMPARE(rack_slots(s.catalog, s.design.rack_types->front(), *s.design.rack_items).overlaps.size(), std::size_t{1});
  }

  void open_racks_have_another_pitch() {
    const Catalog c = parts();
    QCOMPARE(in_millimeters(rack_unit_pitch(c.find<RackPart>("open"))), 48.0);
    QCOMPARE(in_millimeters(rack_unit_pitch(c.find<RackPart>("cabinet"))), 44.45);
  }

  void placing_refuses_what_is_taken() {
    const Sample s = sample();
    auto taken =
        place_in_rack(s.design, s.catalog, s.type, RackItemKind::network_switch, "thin", {13, RackMount::full_depth});
    QVERIFY(!taken.has_value());
    QVERIFY2(has(taken.error(), "Thin switch does not fit at U7: Node stands at U3 to U10"), taken.error().c_str());
    auto above = place_in_rack(s.design, s.catalog, s.type, RackItemKind::node, "node", {83, RackMount::full_depth});
    QVERIFY(!above.has_value());
    QVERIFY2(has(above.error(), "would reach to U49; the cabinet has 48 units"), above.error().c_str());
    auto nothing =
        place_in_rack(s.design, s.catalog, s.type, RackItemKind::node, "no-such", {71, RackMount::full_depth});
    QVERIFY(!nothing.has_value() && has(nothing.error(), "no-such"));
    auto below = place_in_rack(s.design, s.catalog, s.type, RackItemKind::node, "node", {0, RackMount::full_depth});
    QVERIFY(!below.has_value() && has(below.error(), "1 to 400"));
    auto put = place_in_rack(s.design, s.catalog, s.type, RackItemKind::network_switch, "odd", {70, RackMount::rear});
    QVERIFY(put.has_value());
    const RackItem& item = s.item(put->design, put->entities.at(0).id);
    QCOMPARE(item.lowest_half_unit, Count{70});
    QCOMPARE(item.mount, RackMount::rear);
    QVERIFY(validate(put->design).empty());
  }

  void free_places() {
    const Sample s = sample();
    // Two units below the nodes; a node fits above them only.
    QCOMPARE(first_free_place(s.design, s.catalog, s.type, 2, RackMount::full_depth)->lowest_half_unit, Count{1});
    QCOMPARE(first_free_place(s.design, s.catalog, s.type, 16, RackMount::full_depth)->lowest_half_unit, Count{69});
    QVERIFY(!first_free_place(s.design, s.catalog, s.type, 30, RackMount::full_depth));
  }

  void moving_a_stack_and_one_of_it() {
    const Sample s = sample();
    auto up = move_in_rack(s.design, s.catalog, s.nodes, {7, RackMount::full_depth});
    QVERIFY(up.has_value());
    QCOMPARE(s.item(*up, s.nodes).lowest_half_unit, Count{7});
    // 4 x 8 units from U18 reach to U49.
    auto high = move_in_rack(s.design, s.catalog, s.nodes, {35, RackMount::full_depth});
    QVERIFY(!high.has_value() && has(high.error(), "4 x Node at U18 would reach to U49"));
    // The second one goes to the top; the others stay where they are.
    auto one = move_one_in_rack(s.design, s.catalog, s.nodes, 1, {69, RackMount::full_depth});
    QVERIFY(one.has_value());
    QCOMPARE(s.item(one->design, s.nodes).count, Count{1});
    const RackSlots places = rack_slots(s.catalog, one->design.rack_types->front(), *one->design.rack_items);
    std::vector<Count> at;
    for (const RackSlot& slot : places.places)
      at.push_back(slot.lowest_half_unit);
    std::sort(at.begin(), at.end());
    QCOMPARE(at, (std::vector<Count>{5, 37, 53, 69}));
    QVERIFY(validate(one->design).empty());
    // Half a unit up meets its own neighbour.
    auto bump = move_one_in_rack(s.design, s.catalog, s.nodes, 0, {6, RackMount::full_depth});
    QVERIFY(!bump.has_value() && has(bump.error(), "Node stands at U11 to U18"));
  }

  void splitting_removing_counting() {
    const Sample s = sample();
    for (Count nth = 0; nth < 4; ++nth) {
      auto split = split_off(s.design, s.catalog, s.nodes, nth);
      QVERIFY(split.has_value());
      const RackItem& lone = s.item(split->design, split->entities.at(0).id);
      QCOMPARE(lone.count, Count{1});
      QCOMPARE(lone.lowest_half_unit, Count{5} + 16 * nth);
      Count all = 0;
      for (const RackItem& i : *split->design.rack_items)
        all += i.count;
      QCOMPARE(all, Count{4});
      auto less = remove_from_rack(s.design, s.catalog, s.nodes, nth);
      QVERIFY(less.has_value());
      all = 0;
      for (const RackItem& i : *less->rack_items)
        all += i.count;
      QCOMPARE(all, Count{3});
    }
    QVERIFY(!split_off(s.design, s.catalog, s.nodes, 4).has_value());
    auto gone = remove_from_rack(s.design, s.catalog, s.nodes);
    QVERIFY(gone.has_value() && gone->rack_items->empty());
    auto five = set_rack_item_count(s.design, s.catalog, s.nodes, 5); // U3 to U42
    QVERIFY(five.has_value());
    QCOMPARE(s.item(*five, s.nodes).count, Count{5});
    auto six = set_rack_item_count(s.design, s.catalog, s.nodes, 6); // U50
    QVERIFY(!six.has_value() && has(six.error(), "48 units"));
    QVERIFY(!set_rack_item_count(s.design, s.catalog, s.nodes, 0).has_value());
  }

  void templates_and_single_racks() {
    const Sample s = sample();
    auto copy = make_rack_template(s.design, s.type, "Spare of four");
    QVERIFY(copy.has_value());
    const Id made = copy->entities.at(0).id;
    QCOMPARE(find(*copy->design.rack_types, made)->name, std::string("Spare of four"));
    QCOMPARE(copy->design.rack_items->size(), std::size_t{2});
    QCOMPARE(copy->design.rack_items->back().rack_type, made);
    QCOMPARE(racks_of_type(copy->design, made), Count{0});
    QVERIFY(!make_rack_template(s.design, s.type, "Four nodes").has_value());
    QVERIFY(!make_rack_template(s.design, s.type, " ").has_value());
    auto assigned = assign_rack_type(copy->design, s.racks, made);
    QVERIFY(assigned.has_value());
    QCOMPARE(racks_of_type(*assigned, made), Count{2});
    QVERIFY(!assign_rack_type(*assigned, s.racks, made).has_value());
    auto only = change_this_rack_only(s.design, s.racks[1]);
    QVERIFY(only.has_value());
    const Id own = only->entities.at(0).id;
    QCOMPARE(find(*only->design.racks, s.racks[0])->rack_type, s.type);
    QCOMPARE(find(*only->design.racks, s.racks[1])->rack_type, own);
    QCOMPARE(find(*only->design.rack_types, own)->name, std::string("Four nodes, R2"));
    auto again = change_this_rack_only(only->design, s.racks[1]);
    QVERIFY(!again.has_value() && has(again.error(), "No other rack"));
    QVERIFY(validate(only->design).empty());
  }

  void other_parts_hang_beside_the_rails() {
    const Sample s = sample();
    auto put = place_in_rack(s.design, s.catalog, s.type, RackItemKind::other, "pdu", {1, RackMount::zero_u_left});
    QVERIFY(put.has_value());
    const RackSlots places = rack_slots(s.catalog, put->design.rack_types->front(), *put->design.rack_items);
    QVERIFY(places.overlaps.empty());
    QVERIFY(places.places.back().zero_u());
  }

  /// Any sequence of edits that are not refused leaves a valid rack without overlaps, and never a lost part.
  void edits_never_make_an_overlap() {
    QVERIFY(rc::check("edits of a rack", [] {
      Sample s = sample();
      Design d = s.design;
      Count placed = 4;
      const int steps = *rc::gen::inRange(1, 25);
      for (int i = 0; i < steps; ++i) {
        const RackSpot spot{*rc::gen::inRange<Count>(1, 100),
                            *rc::gen::element(RackMount::full_depth, RackMount::front, RackMount::rear)};
        if (*rc::gen::arbitrary<bool>() || d.rack_items->empty()) {
          if (auto put = place_in_rack(d, s.catalog, s.type, RackItemKind::network_switch,
                                       *rc::gen::element<std::string>("thin", "odd"), spot)) {
            d = put->design;
            ++placed;
          }
        } else {
          const RackItem& item = (*d.rack_items)[*rc::gen::inRange<std::size_t>(0, d.rack_items->size())];
          if (auto moved = move_one_in_rack(d, s.catalog, item.id, *rc::gen::inRange<Count>(0, item.count), spot))
            d = moved->design;
        }
      }
      const RackSlots places = rack_slots(s.catalog, d.rack_types->front(), *d.rack_items);
      RC_ASSERT(places.overlaps.empty());
      RC_ASSERT(static_cast<Count>(places.places.size()) == placed);
      RC_ASSERT(
          std::none_of(places.places.begin(), places.places.end(), [](const RackSlot& x) { return x.overflows; }));
      RC_ASSERT(validate(d).empty());
    }));
  }
};

QTEST_APPLESS_MAIN(TestRackEdits)
#include "test_rack_edits.moc"
