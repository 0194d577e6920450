// Propagators that were written for libclingo, against clingo.hh as clingo ships it.
#include <clingo.hh>

#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// No two pigeons in one hole. Undone level by level; a mirror of what is true is compared with the assignment.
class Pigeons : public Clingo::Heuristic {
public:
    void init(Clingo::PropagateInit &init) override {
        states_.assign(init.number_of_threads(), {});
        holes_.clear();
        for (auto atom : init.symbolic_atoms()) {
            if (atom.match("place", 2)) {
                auto literal = init.solver_literal(atom.literal());
                holes_[literal] = atom.symbol().arguments()[1].number();
                init.add_watch(literal);
            }
        }
        init.set_check_mode(Clingo::PropagatorCheckMode::Both);
        own_ = init.add_literal();
        // False where the program is known to have no answer set, as that of four pigeons and three holes.
        if (!init.add_clause({own_}) || !init.propagate()) {
            return;
        }
        if (!init.assignment().is_fixed(own_)) {
            throw std::logic_error("no fact");
        }
    }
    void propagate(Clingo::PropagateControl &control, Clingo::LiteralSpan changes) override {
        auto &state = states_.at(control.thread_id());
        for (auto literal : changes) {
            auto old = state.emplace(holes_.at(literal), literal);
            if (!old.second && old.first->second != literal) {
                if (!control.add_clause({-literal, -old.first->second}) || !control.propagate()) {
                    return;
                }
            }
        }
    }
    void undo(Clingo::PropagateControl const &control, Clingo::LiteralSpan changes) noexcept override {
        auto &state = states_[control.thread_id()];
        for (auto literal : changes) {
            auto it = state.find(holes_.at(literal));
            if (it != state.end() && it->second == literal) {
                state.erase(it);
            }
        }
        ++undone;
    }
    void check(Clingo::PropagateControl &control) override {
        auto assignment = control.assignment();
        auto &state = states_.at(control.thread_id());
        for (auto &entry : state) {
            if (!assignment.is_true(entry.second)) {
                throw std::logic_error("the mirror differs");
            }
        }
        uint32_t levels = 0;
        auto trail = assignment.trail();
        for (uint32_t level = 0; level <= assignment.decision_level(); ++level) {
            levels += trail.end_offset(level) - trail.begin_offset(level);
            if (level > 0 && *trail.begin(level) != assignment.decision(level)) {
                throw std::logic_error("no decision");
            }
        }
        if (levels != trail.size() || assignment.has_conflict()) {
            throw std::logic_error("the trail differs");
        }
    }
    Clingo::literal_t decide(Clingo::id_t, Clingo::Assignment const &assignment, Clingo::literal_t fallback) override {
        ++decided;
        return assignment.is_true(own_) ? fallback : 0;
    }
    size_t undone = 0;
    size_t decided = 0;

private:
    std::vector<std::map<int, Clingo::literal_t>> states_;
    std::map<Clingo::literal_t, int> holes_;
    Clingo::literal_t own_ = 0;
};

class Failing : public Clingo::Propagator {
    void check(Clingo::PropagateControl &) override { throw std::runtime_error("mine"); }
};

int main() {
    for (int holes : {3, 4, 5}) {
        Clingo::Control control{{"0"}};
        control.add("base", {}, ("1 { place(P,H) : H = 1.." + std::to_string(holes) + " } 1 :- P = 1..4.").c_str());
        control.ground({{"base", {}}});
        Pigeons pigeons;
        control.register_propagator(pigeons);
        for (int step = 0; step < 2; ++step) {
            size_t models = 0;
            for (auto &model : control.solve()) {
                models += !model.symbols().empty();
            }
            std::cout << holes << " holes: " << models << "\n";
        }
        if (pigeons.undone == 0 || pigeons.decided == 0) {
            std::cout << "nothing was told\n";
        }
    }
    Clingo::Control control{{"0"}};
    control.add("base", {}, "{ a }.");
    control.ground({{"base", {}}});
    Failing failing;
    control.register_propagator(failing, true);
    try {
        control.solve(Clingo::LiteralSpan{}).get();
    } catch (std::exception const &error) {
        std::cout << "error " << error.what() << "\n";
    }
}
