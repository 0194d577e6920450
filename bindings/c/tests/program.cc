// A program that was written for libclingo, against clingo.hh as clingo ships it.
#include <clingo.hh>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    Clingo::Control control{{"0"}};
    control.add("base", {}, "1 { p(X) : X = 1..@top() } 2. #external e. q :- e. #show p/1. #show q/0.");
    control.ground({{"base", {}}}, [](Clingo::Location location, char const *name, Clingo::SymbolSpan, Clingo::SymbolSpanCallback values) {
        std::cout << "call " << name << " at " << location.begin_line() << "\n";
        values({Clingo::Number(3)});
    });
    control.assign_external(Clingo::Id("e"), Clingo::TruthValue::True);
    std::vector<std::string> found;
    for (auto &model : control.solve()) {
        std::vector<std::string> symbols;
        for (auto &symbol : model.symbols()) {
            symbols.emplace_back(symbol.to_string());
        }
        std::sort(symbols.begin(), symbols.end());
        std::string line;
        for (auto &symbol : symbols) {
            line += symbol + " ";
        }
        found.emplace_back(line);
    }
    std::sort(found.begin(), found.end());
    for (auto &line : found) {
        std::cout << line << "\n";
    }
    try {
        Clingo::Control wrong{{"--nonsense"}};
    } catch (std::exception const &error) {
        std::cout << "error " << error.what() << "\n";
    }
    auto handle = control.solve(Clingo::LiteralSpan{});
    std::cout << handle.get().is_satisfiable() << " " << control.symbolic_atoms().length() << "\n";
}
