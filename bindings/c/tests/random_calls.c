// Calls at random: right ones, wrong ones, on objects that are gone, within callbacks. Each is an answer or an error with a text.
//   random_calls SEED CALLS        prints how many calls were made and how many of them failed
#include <clingo.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static long left, made, failed;
static int depth;
static pthread_t first;

// An asynchronous search calls its propagators from a thread of its own: what this program remembers is not touched there,
// and a call there that waited for another search could wait for ever.
static bool elsewhere(void) { return !pthread_equal(pthread_self(), first); }

static uint64_t word(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
static unsigned below(unsigned n) { return (unsigned)((word() >> 11) % n); }
#define PICK(list) ((list)[below(sizeof(list) / sizeof *(list))])

// A call that tells whether it worked; an error has a text.
static bool call(bool worked) {
    ++made;
    --left;
    if (!worked) {
        ++failed;
        char const *text = clingo_error_message();
        if (!text || !*text || strstr(text, "internal error")) {
            printf("an error without a text, or a panic: %s\n", text ? text : "");
            exit(1);
        }
    }
    return worked;
}
static void done(void) { ++made, --left; }

// What was returned by calls, and is used again whatever has become of it. Some of it is freed.
enum { KEPT = 24 };
#define POOL(type, name)                                                                                               \
    static type name##_kept[KEPT];                                                                                     \
    static unsigned name##_count;                                                                                      \
    static void keep_##name(type thing) {                                                                              \
        name##_kept[name##_count < KEPT ? name##_count++ : below(KEPT)] = thing;                                       \
    }                                                                                                                  \
    static type name(void) { return name##_count ? name##_kept[below(name##_count)] : (type)0; }

POOL(clingo_symbol_t, symbol)
POOL(clingo_control_t *, control)
POOL(clingo_solve_handle_t *, handle)
POOL(clingo_model_t const *, model)
POOL(clingo_symbolic_atom_iterator_t, place)
POOL(uint64_t, key)
POOL(clingo_propagate_init_t *, init)
POOL(clingo_propagate_control_t *, search)
POOL(clingo_assignment_t const *, assignment)

// Nodes are counted: one of these is always alive.
static clingo_ast_t *asts[KEPT];
static unsigned ast_count;
static void keep_ast(clingo_ast_t *ast) {
    if (ast_count < KEPT) {
        asts[ast_count++] = ast;
    } else {
        unsigned at = below(KEPT);
        clingo_ast_release(asts[at]);
        done();
        asts[at] = ast;
    }
}

static clingo_symbol_t some_symbol(void) { return below(12) ? symbol() : word(); }
static clingo_control_t *some_control(void) {
    return below(40) ? control() : (clingo_control_t *)(uintptr_t)(below(2) ? word() : below(64));
}
static int number(void) {
    static int const numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, -1, -2, -3, 20, -20, 1 << 30, (1 << 30) + 1, INT32_MAX, INT32_MIN};
    return PICK(numbers);
}
static char const *text(void) {
    static char const *const texts[] = {"", "a", "b", "base", "more", "p", "f(1,x)", "-p(2)", "X", "1+", "\xc3\xa9", "\xff", "k", "solve", "models",
                                        "0", "2", "opt_mode", "optN", "ignore", "summary", "problem", "call", "n", "\"s\"", "(1,)", "#inf", "solver.0.heuristic"};
    return PICK(texts);
}
static char const *const programs[] = {
    "{ a; b; c }. d :- a, not b. #external e(1..2).",
    "1 { p(1..4) } 2. q(X) :- p(X). #minimize { X : p(X) }.",
    "#program more(k). r(k) :- a. { s(k) }.",
    "#theory t { u { + : 1, unary }; &t/0 : u, { <= }, u, any }. { z }. &t { 1; y : z } <= 3.",
    "x(@f(1..2)). :- x(0).",
    "p(X). ",
    "{ a ",
    "#const n = 3. { h(1..n) }. :~ h(X). [X@1, X] #show h/1. #show s(X) : h(X).",
    "a :- not b. b :- not a. #edge (1,2) : a. #heuristic a : b. [1, true] #project a.",
    "a; b; c. a :- b. :- 2 { a; b; c }. %* comment *%",
    "asp 1 0 0\n",
};

static void any(void);
// Now and then a callback makes calls of its own.
static bool within(void) {
    ++depth;
    for (unsigned n = depth < 3 && below(4) == 0 ? 1 + below(4) : 0; n > 0 && left > 0; --n) any();
    --depth;
    if (below(60) == 0) {
        clingo_set_error(clingo_error_unknown, "mine");
        return false;
    }
    return true;
}
static void logger(clingo_warning_t code, char const *message, void *data) { (void)code, (void)message, (void)data; }
static bool on_event(clingo_solve_event_type_t type, void *event, void *data, bool *go_on) {
    (void)data;
    if (type == clingo_solve_event_type_model) keep_model(event);
    *go_on = below(10) != 0;
    return within();
}
static bool on_function(clingo_location_t const *place, char const *name, clingo_symbol_t const *arguments, size_t size, void *data,
                        clingo_symbol_callback_t give, void *given) {
    (void)place, (void)name, (void)data;
    if (size) keep_symbol(arguments[0]);
    clingo_symbol_t values[] = {some_symbol(), some_symbol()};
    return within() && give(values, below(3), given);
}
static bool on_node(clingo_ast_t *ast, void *data) {
    (void)data;
    clingo_ast_acquire(ast);
    keep_ast(ast);
    return within();
}

static bool on_init(clingo_propagate_init_t *init, void *data) {
    (void)data;
    if (elsewhere()) return clingo_propagate_init_add_watch(init, 1);
    keep_init(init);
    int literal;
    for (int atom = 1; atom < 5; ++atom) {
        if (call(clingo_propagate_init_solver_literal(init, number(), &literal))) call(clingo_propagate_init_add_watch(init, literal));
    }
    keep_assignment(clingo_propagate_init_assignment(init));
    return within();
}
static bool on_propagate(clingo_propagate_control_t *control, clingo_literal_t const *changes, size_t size, void *data) {
    (void)data;
    bool go_on;
    if (elsewhere()) {
        clingo_literal_t clause[] = {-changes[0], size > 1 ? -changes[1] : 2};
        return clingo_propagate_control_add_clause(control, clause, 2, clingo_clause_type_learnt, &go_on);
    }
    keep_search(control);
    keep_assignment(clingo_propagate_control_assignment(control));
    if (size && below(3) == 0) {
        clingo_literal_t clause[] = {-changes[below((unsigned)size)], number()};
        if (!call(clingo_propagate_control_add_clause(control, clause, 1 + below(2), below(4), &go_on)) || !go_on) return true;
        if (!call(clingo_propagate_control_propagate(control, &go_on)) || !go_on) return true;
    }
    return within();
}
static void on_undo(clingo_propagate_control_t const *control, clingo_literal_t const *changes, size_t size, void *data) {
    (void)control, (void)changes, (void)size, (void)data;
    if (elsewhere()) return;
    clingo_error_t code = clingo_error_code();
    if (!within()) clingo_set_error(code, "");
}
static bool on_check(clingo_propagate_control_t *control, void *data) {
    (void)data;
    if (elsewhere()) return true;
    keep_search(control);
    return within();
}
static clingo_propagator_t const propagator = {on_init, on_propagate, on_undo, on_check, NULL};

static void symbols(void) {
    clingo_symbol_t made_symbol = 0, arguments[] = {some_symbol(), some_symbol(), some_symbol()};
    clingo_symbol_t const *list;
    char const *string;
    char buffer[4000];
    size_t size;
    int n;
    bool flag;
    switch (below(14)) {
    case 0: clingo_symbol_create_number(number(), &made_symbol), done(), keep_symbol(made_symbol); break;
    case 1: if (call(clingo_symbol_create_function(text(), arguments, below(4), below(2), &made_symbol))) keep_symbol(made_symbol); break;
    case 2: if (call(clingo_symbol_create_string(text(), &made_symbol))) keep_symbol(made_symbol); break;
    case 3: if (call(clingo_symbol_create_id(text(), below(2), &made_symbol))) keep_symbol(made_symbol); break;
    case 4: if (call(clingo_parse_term(text(), logger, NULL, 20, &made_symbol))) keep_symbol(made_symbol); break;
    case 5: call(clingo_symbol_number(some_symbol(), &n)); break;
    case 6: if (call(clingo_symbol_name(some_symbol(), &string))) (void)strlen(string); break;
    case 7: if (call(clingo_symbol_string(some_symbol(), &string))) (void)strlen(string); break;
    case 8: call(clingo_symbol_is_positive(some_symbol(), &flag)); break;
    case 9: if (call(clingo_symbol_arguments(some_symbol(), &list, &size)) && size) keep_symbol(list[below((unsigned)size)]); break;
    case 10: clingo_symbol_is_less_than(some_symbol(), some_symbol()), clingo_symbol_hash(some_symbol()), clingo_symbol_type(some_symbol()), done(); break;
    case 11: call(clingo_symbol_to_string(some_symbol(), buffer, below(2) ? sizeof buffer : 1)); break;
    case 12: if (call(clingo_symbol_to_string_size(arguments[0], &size)) && size <= sizeof buffer) call(clingo_symbol_to_string(arguments[0], buffer, size)); break;
    default: call(clingo_add_string(text(), &string)); break;
    }
}

static void new_control(void) {
    static char const *const arguments[] = {"0", "--opt-mode=optN", "-t2", "--enum-mode=brave", "--nonsense", "3"};
    char const *given[] = {PICK(arguments), PICK(arguments)};
    clingo_control_t *control = NULL;
    // One thread a search: see elsewhere().
    unsigned size = below(3);
    for (unsigned i = 0; i < size; ++i) {
        if (!strcmp(given[i], "-t2")) given[i] = "0";
    }
    if (!call(clingo_control_new(given, size, logger, NULL, 20, &control))) return;
    if (control_count == KEPT) clingo_control_free(control_kept[0]), control_kept[0] = control, done();
    else keep_control(control);
    call(clingo_control_add(control, "base", NULL, 0, PICK(programs)));
    clingo_part_t part = {"base", NULL, 0};
    if (below(4)) call(clingo_control_ground(control, &part, 1, on_function, NULL));
}

static void controls(void) {
    clingo_control_t *control = some_control();
    clingo_symbol_t given = some_symbol();
    char const *parameter = text();
    clingo_part_t parts[] = {{text(), NULL, 0}, {"more", &given, below(2)}};
    clingo_literal_t literals[] = {number(), number()};
    clingo_atom_t atoms[] = {(clingo_atom_t)number(), (clingo_atom_t)number()};
    clingo_solve_handle_t *handle;
    bool flag;
    switch (below(22)) {
    case 0: case 1: new_control(); break;
    case 2: if (below(6) == 0) clingo_control_free(control), done(); break;
    case 3: call(clingo_control_add(control, text(), &parameter, below(2), PICK(programs))); break;
    case 4: call(clingo_control_ground(control, parts, below(3), below(4) ? on_function : NULL, NULL)); break;
    case 5: case 6: case 7:
        // Callbacks come from this thread unless the call is asynchronous.
        if (call(clingo_control_solve(control, below(2) ? clingo_solve_mode_yield : 0, literals, below(3), on_event, NULL, &handle))) keep_handle(handle);
        break;
    case 8: if (call(clingo_control_solve(control, clingo_solve_mode_async | clingo_solve_mode_yield, literals, below(3), NULL, NULL, &handle))) keep_handle(handle); break;
    case 9: call(clingo_control_cleanup(control)); break;
    case 10: call(clingo_control_assign_external(control, number(), (clingo_truth_value_t)below(4))); break;
    case 11: call(clingo_control_release_external(control, number())); break;
    case 12: call(clingo_control_remove_minimize(control)); break;
    case 13: call(clingo_control_update_project(control, atoms, below(3), below(2))); break;
    case 14: if (below(3) == 0) call(clingo_control_register_propagator(control, &propagator, NULL, below(2))); break;
    case 15: clingo_control_is_conflicting(control), clingo_control_interrupt(control), done(); break;
    case 16: call(clingo_control_get_const(control, text(), &given)); break;
    case 17: call(clingo_control_has_const(control, text(), &flag)); break;
    case 18: call(clingo_control_set_enable_cleanup(control, below(2))); break;
    case 19: call(clingo_control_set_enable_enumeration_assumption(control, below(2))); break;
    case 20: call(clingo_control_load(control, "/nowhere/at all")); break;
    default: { void *facade; call(clingo_control_clasp_facade(control, &facade)); }
    }
}

static void handles(void) {
    clingo_solve_handle_t *at = below(30) ? handle() : (clingo_solve_handle_t *)(uintptr_t)word();
    clingo_solve_result_bitset_t result;
    clingo_literal_t const *core;
    clingo_model_t const *model = NULL;
    size_t size;
    bool flag;
    switch (below(9)) {
    case 0: call(clingo_solve_handle_get(at, &result)); break;
    case 1: clingo_solve_handle_wait(at, below(2) ? 0 : 0.001, &flag), done(); break;
    case 2: case 3: if (call(clingo_solve_handle_model(at, &model)) && model) keep_model(model); break;
    case 4: if (call(clingo_solve_handle_core(at, &core, &size)) && size) keep_symbol((clingo_symbol_t)core[0]); break;
    case 5: case 6: call(clingo_solve_handle_resume(at)); break;
    case 7: call(clingo_solve_handle_cancel(at)); break;
    default: call(clingo_solve_handle_close(at)); break;
    }
}

static void models(void) {
    clingo_model_t const *at = below(30) ? model() : (clingo_model_t const *)(uintptr_t)word();
    clingo_symbol_t list[200];
    int64_t costs[8];
    clingo_weight_t priorities[8];
    clingo_solve_control_t *context;
    clingo_symbolic_atoms_t const *atoms;
    clingo_literal_t clause[] = {number(), number()};
    uint64_t n;
    size_t size;
    bool flag;
    switch (below(12)) {
    case 0: call(clingo_model_number(at, &n)); break;
    case 1: case 2: {
        unsigned show = below(64);
        if (call(clingo_model_symbols_size(at, show, &size)) && size <= 200 && call(clingo_model_symbols(at, show, list, size)) && size) keep_symbol(list[below((unsigned)size)]);
        break;
    }
    case 3: call(clingo_model_symbols(at, clingo_show_type_all, list, below(2))); break;
    case 4: call(clingo_model_contains(at, some_symbol(), &flag)); break;
    case 5: call(clingo_model_is_true(at, number(), &flag)); break;
    case 6: if (call(clingo_model_cost_size(at, &size)) && size <= 8) call(clingo_model_cost(at, costs, size)); break;
    case 7: call(clingo_model_priority(at, priorities, 8)); break;
    case 8: call(clingo_model_optimality_proven(at, &flag)); break;
    case 9: list[0] = some_symbol(), call(clingo_model_extend((clingo_model_t *)at, list, below(2))); break;
    case 10: if (call(clingo_model_context(at, &context))) call(clingo_solve_control_add_clause(context, clause, below(3))); break;
    default: if (call(clingo_model_context(at, &context))) call(clingo_solve_control_symbolic_atoms(context, &atoms)); break;
    }
}

static void atoms(void) {
    clingo_symbolic_atoms_t const *atoms = NULL;
    clingo_symbolic_atom_iterator_t at = below(20) ? place() : word(), next;
    clingo_signature_t signature, signatures[60];
    clingo_symbol_t found;
    clingo_literal_t literal;
    size_t size;
    bool flag;
    if (!call(clingo_control_symbolic_atoms(some_control(), &atoms))) return;
    switch (below(10)) {
    case 0: if (call(clingo_symbolic_atoms_size(atoms, &size))) (void)size; break;
    case 1: case 2: {
        bool one = below(2) && call(clingo_signature_create(text(), below(3), below(2), &signature));
        if (call(clingo_symbolic_atoms_begin(atoms, one ? &signature : NULL, &next))) keep_place(next);
        break;
    }
    case 3: if (call(clingo_symbolic_atoms_find(atoms, some_symbol(), &next))) keep_place(next); break;
    case 4: if (call(clingo_symbolic_atoms_next(atoms, at, &next))) keep_place(next); break;
    case 5: if (call(clingo_symbolic_atoms_symbol(atoms, at, &found))) keep_symbol(found); break;
    case 6: call(clingo_symbolic_atoms_is_fact(atoms, at, &flag)), call(clingo_symbolic_atoms_is_external(atoms, at, &flag)); break;
    case 7: call(clingo_symbolic_atoms_literal(atoms, at, &literal)); break;
    case 8: if (call(clingo_symbolic_atoms_signatures_size(atoms, &size)) && size <= 60) call(clingo_symbolic_atoms_signatures(atoms, signatures, size)); break;
    default: call(clingo_symbolic_atoms_is_valid(atoms, at, &flag)); break;
    }
}

static void theory(void) {
    clingo_theory_atoms_t const *atoms = NULL;
    if (!call(clingo_control_theory_atoms(some_control(), &atoms))) return;
    clingo_id_t id = below(10) ? below(8) : (clingo_id_t)word(), term;
    clingo_id_t const *list;
    clingo_literal_t const *condition;
    clingo_theory_term_type_t kind;
    clingo_literal_t literal;
    char const *name;
    char buffer[2000];
    size_t size;
    int n;
    bool flag;
    switch (below(14)) {
    case 0: call(clingo_theory_atoms_size(atoms, &size)); break;
    case 1: call(clingo_theory_atoms_term_type(atoms, id, &kind)); break;
    case 2: call(clingo_theory_atoms_term_number(atoms, id, &n)); break;
    case 3: if (call(clingo_theory_atoms_term_name(atoms, id, &name))) (void)strlen(name); break;
    case 4: if (call(clingo_theory_atoms_term_arguments(atoms, id, &list, &size)) && size) (void)list[size - 1]; break;
    case 5: call(clingo_theory_atoms_term_to_string(atoms, id, buffer, sizeof buffer)); break;
    case 6: if (call(clingo_theory_atoms_element_tuple(atoms, id, &list, &size)) && size) (void)list[size - 1]; break;
    case 7: if (call(clingo_theory_atoms_element_condition(atoms, id, &condition, &size)) && size) (void)condition[size - 1]; break;
    case 8: call(clingo_theory_atoms_element_condition_id(atoms, id, &literal)); break;
    case 9: call(clingo_theory_atoms_element_to_string(atoms, id, buffer, sizeof buffer)); break;
    case 10: call(clingo_theory_atoms_atom_term(atoms, id, &term)), call(clingo_theory_atoms_atom_elements(atoms, id, &list, &size)); break;
    case 11: call(clingo_theory_atoms_atom_has_guard(atoms, id, &flag)), call(clingo_theory_atoms_atom_guard(atoms, id, &name, &term)); break;
    case 12: call(clingo_theory_atoms_atom_literal(atoms, id, &literal)); break;
    default: call(clingo_theory_atoms_atom_to_string(atoms, id, buffer, below(2) ? sizeof buffer : 0)); break;
    }
}

static void backends(void) {
    clingo_backend_t *backend = NULL;
    if (!call(clingo_control_backend(some_control(), &backend))) return;
    clingo_atom_t atoms[] = {(clingo_atom_t)number(), below(8)}, new_atom;
    clingo_literal_t literals[] = {number(), number()};
    clingo_weighted_literal_t weighted[] = {{number(), number()}, {number(), 1}};
    clingo_id_t ids[] = {below(9), (clingo_id_t)number()}, id;
    clingo_symbol_t given = some_symbol();
    switch (below(17)) {
    case 0: case 1: call(clingo_backend_begin(backend)); break;
    case 2: case 3: call(clingo_backend_end(backend)); break;
    case 4: call(clingo_backend_rule(backend, below(2), atoms, below(3), literals, below(3))); break;
    case 5: call(clingo_backend_weight_rule(backend, below(2), atoms, below(3), number(), weighted, below(3))); break;
    case 6: call(clingo_backend_minimize(backend, number(), weighted, below(3))); break;
    case 7: call(clingo_backend_project(backend, atoms, below(3))); break;
    case 8: call(clingo_backend_external(backend, atoms[0], (clingo_external_type_t)below(5))); break;
    case 9: call(clingo_backend_assume(backend, literals, below(3))); break;
    case 10: call(clingo_backend_heuristic(backend, atoms[0], (clingo_heuristic_type_t)below(7), number(), below(9), literals, below(3))); break;
    case 11: call(clingo_backend_acyc_edge(backend, number(), number(), literals, below(3))); break;
    case 12: call(clingo_backend_add_atom(backend, below(2) ? &given : NULL, &new_atom)); break;
    case 13: call(clingo_backend_theory_term_number(backend, number(), &id)), call(clingo_backend_theory_term_string(backend, text(), &id)); break;
    case 14: call(clingo_backend_theory_term_sequence(backend, (clingo_theory_sequence_type_t)below(3), ids, below(3), &id)); break;
    case 15: call(clingo_backend_theory_term_function(backend, text(), ids, below(3), &id)), call(clingo_backend_theory_term_symbol(backend, given, &id)); break;
    default:
        call(clingo_backend_theory_element(backend, ids, below(3), literals, below(3), &id));
        call(clingo_backend_theory_atom_with_guard(backend, (clingo_atom_t)number(), ids[0], ids, below(3), text(), ids[1], &new_atom));
    }
}

static void trees(void) {
    clingo_control_t *control = some_control();
    clingo_configuration_t *configuration = NULL;
    clingo_statistics_t const *statistics = NULL;
    clingo_id_t node = below(10) ? below(180) : (clingo_id_t)word(), sub;
    clingo_configuration_type_bitset_t kind;
    clingo_statistics_type_t type;
    uint64_t at = below(4) ? key() : word(), next;
    char const *name;
    char buffer[400];
    double value;
    size_t size;
    bool flag;
    if (below(2)) {
        if (!call(clingo_control_configuration(control, &configuration))) return;
        switch (below(8)) {
        case 0: call(clingo_configuration_root(configuration, &sub)); break;
        case 1: call(clingo_configuration_type(configuration, node, &kind)); break;
        case 2: if (call(clingo_configuration_description(configuration, node, &name))) (void)strlen(name); break;
        case 3: call(clingo_configuration_array_size(configuration, node, &size)), call(clingo_configuration_array_at(configuration, node, below(4), &sub)); break;
        case 4: if (call(clingo_configuration_map_subkey_name(configuration, node, below(8), &name))) call(clingo_configuration_map_at(configuration, node, name, &sub)); break;
        case 5: call(clingo_configuration_map_has_subkey(configuration, node, text(), &flag)), call(clingo_configuration_map_at(configuration, node, text(), &sub)); break;
        case 6: call(clingo_configuration_value_is_assigned(configuration, node, &flag)), call(clingo_configuration_value_get(configuration, node, buffer, below(2) ? sizeof buffer : 1)); break;
        default: call(clingo_configuration_value_set(configuration, node, text())); break;
        }
        return;
    }
    if (!call(clingo_control_statistics(control, &statistics))) return;
    clingo_statistics_t *own = (clingo_statistics_t *)statistics;
    switch (below(9)) {
    case 0: if (call(clingo_statistics_root(statistics, &next))) keep_key(next); break;
    case 1: call(clingo_statistics_type(statistics, at, &type)); break;
    case 2: if (call(clingo_statistics_array_size(statistics, at, &size)) && call(clingo_statistics_array_at(statistics, at, below(4), &next))) keep_key(next); break;
    case 3: call(clingo_statistics_array_push(own, at, (clingo_statistics_type_t)below(5), &next)); break;
    case 4: if (call(clingo_statistics_map_size(statistics, at, &size)) && call(clingo_statistics_map_subkey_name(statistics, at, below(8), &name)) && call(clingo_statistics_map_at(statistics, at, name, &next))) keep_key(next); break;
    case 5: call(clingo_statistics_map_has_subkey(statistics, at, text(), &flag)); break;
    case 6: call(clingo_statistics_map_add_subkey(own, at, text(), (clingo_statistics_type_t)below(5), &next)); break;
    case 7: call(clingo_statistics_value_get(statistics, at, &value)); break;
    default: call(clingo_statistics_value_set(own, at, 1.5)); break;
    }
}

static void nodes(void) {
    if (ast_count == 0 || below(12) == 0) {
        call(clingo_ast_parse_string(PICK(programs), on_node, NULL, below(8) ? NULL : some_control(), logger, NULL, 20));
        return;
    }
    clingo_ast_t *ast = asts[below(ast_count)], *other = asts[below(ast_count)], *found = NULL;
    // It stays alive whatever becomes of the pool in a callback.
    clingo_ast_acquire(ast), clingo_ast_acquire(other);
    clingo_ast_attribute_t attribute = (clingo_ast_attribute_t)below(below(10) ? 45 : 60);
    clingo_ast_attribute_type_t kind;
    clingo_ast_type_t type;
    clingo_location_t location;
    clingo_symbol_t value;
    char const *string;
    char buffer[4000];
    size_t size;
    int n;
    bool flag;
    switch (below(19)) {
    case 0: if (call(clingo_ast_copy(ast, &found))) keep_ast(found); break;
    case 1: if (call(clingo_ast_deep_copy(ast, &found))) keep_ast(found); break;
    case 2: clingo_ast_less_than(ast, other), clingo_ast_equal(ast, other), clingo_ast_hash(ast), done(); break;
    case 3: if (call(clingo_ast_to_string_size(ast, &size)) && size <= sizeof buffer) call(clingo_ast_to_string(ast, buffer, size)); break;
    case 4: call(clingo_ast_get_type(ast, &type)), call(clingo_ast_has_attribute(ast, attribute, &flag)); break;
    case 5: call(clingo_ast_attribute_type(ast, attribute, &kind)); break;
    case 6: call(clingo_ast_attribute_get_number(ast, attribute, &n)), call(clingo_ast_attribute_set_number(ast, attribute, number())); break;
    case 7: call(clingo_ast_attribute_get_symbol(ast, attribute, &value)), call(clingo_ast_attribute_set_symbol(ast, attribute, some_symbol())); break;
    case 8: if (call(clingo_ast_attribute_get_location(ast, attribute, &location))) call(clingo_ast_attribute_set_location(ast, attribute, &location)); break;
    case 9: if (call(clingo_ast_attribute_get_string(ast, attribute, &string))) (void)strlen(string); break;
    case 10: call(clingo_ast_attribute_set_string(ast, attribute, text())); break;
    case 11: if (call(clingo_ast_attribute_get_ast(ast, attribute, &found))) keep_ast(found); break;
    case 12: call(clingo_ast_attribute_set_ast(ast, attribute, other)); break;
    case 13: if (call(clingo_ast_attribute_get_optional_ast(ast, attribute, &found)) && found) keep_ast(found); break;
    case 14: call(clingo_ast_attribute_set_optional_ast(ast, attribute, below(2) ? other : NULL)); break;
    case 15: if (call(clingo_ast_attribute_get_ast_at(ast, attribute, below(3), &found))) keep_ast(found); break;
    case 16:
        call(clingo_ast_attribute_size_ast_array(ast, attribute, &size)), call(clingo_ast_attribute_insert_ast_at(ast, attribute, below(3), other));
        call(clingo_ast_attribute_set_ast_at(ast, attribute, below(3), other)), call(clingo_ast_attribute_delete_ast_at(ast, attribute, below(3)));
        break;
    case 17: call(clingo_ast_unpool(ast, 1 + below(3), on_node, NULL)); break;
    default: {
        clingo_program_builder_t *builder;
        if (!call(clingo_program_builder_init(some_control(), &builder))) break;
        if (below(4)) call(clingo_program_builder_begin(builder));
        for (unsigned i = below(4); i > 0; --i) call(clingo_program_builder_add(builder, asts[below(ast_count)]));
        if (below(4)) call(clingo_program_builder_end(builder));
    }
    }
    clingo_ast_release(ast), clingo_ast_release(other);
}

static void propagators(void) {
    clingo_propagate_init_t *at = below(10) ? init() : (clingo_propagate_init_t *)(uintptr_t)word();
    clingo_propagate_control_t *during = below(10) ? search() : (clingo_propagate_control_t *)(uintptr_t)word();
    clingo_assignment_t const *values = below(10) ? assignment() : (clingo_assignment_t const *)(uintptr_t)word();
    clingo_literal_t clause[] = {number(), number()}, literal;
    clingo_weighted_literal_t weighted[] = {{number(), number()}, {number(), 1}};
    clingo_truth_value_t truth;
    uint32_t level;
    bool flag;
    switch (below(20)) {
    case 0: call(clingo_propagate_init_solver_literal(at, number(), &literal)); break;
    case 1: call(clingo_propagate_init_add_watch(at, number())); break;
    case 2: call(clingo_propagate_init_remove_watch(at, number())); break;
    case 3: call(clingo_propagate_init_freeze_literal(at, number())); break;
    case 4: clingo_propagate_init_number_of_threads(at), clingo_propagate_init_set_check_mode(at, (clingo_propagator_check_mode_t)below(6)), done(); break;
    case 5: call(clingo_propagate_init_add_literal(at, below(2), &literal)); break;
    case 6: call(clingo_propagate_init_add_clause(at, clause, below(3), &flag)); break;
    case 7: call(clingo_propagate_init_add_weight_constraint(at, number(), weighted, below(3), number(), (clingo_weight_constraint_type_t)below(4), below(2), &flag)); break;
    case 8: call(clingo_propagate_init_add_minimize(at, number(), number(), number())); break;
    case 9: call(clingo_propagate_init_propagate(at, &flag)); break;
    case 10: clingo_propagate_control_thread_id(during), done(); break;
    case 11: call(clingo_propagate_control_add_literal(during, &literal)); break;
    case 12: call(clingo_propagate_control_add_watch(during, number())), clingo_propagate_control_remove_watch(during, number()), done(); break;
    case 13: call(clingo_propagate_control_add_clause(during, clause, below(3), below(5), &flag)); break;
    case 14: call(clingo_propagate_control_propagate(during, &flag)); break;
    case 15: clingo_assignment_decision_level(values), clingo_assignment_has_conflict(values), clingo_assignment_size(values), done(); break;
    case 16: call(clingo_assignment_level(values, number(), &level)), call(clingo_assignment_decision(values, below(9), &literal)); break;
    case 17: call(clingo_assignment_truth_value(values, number(), &truth)), call(clingo_assignment_is_fixed(values, number(), &flag)); break;
    case 18: call(clingo_assignment_at(values, below(40), &literal)), call(clingo_assignment_trail_size(values, &level)); break;
    default: call(clingo_assignment_trail_begin(values, below(6), &level)), call(clingo_assignment_trail_at(values, below(40), &literal)); break;
    }
}

static void any(void) {
    static void (*const kinds[])(void) = {symbols, symbols, symbols, controls, controls, handles, handles, models, models, models,
                                          atoms,   atoms,   theory,  backends, backends, trees,   nodes,   nodes,  nodes,  propagators};
    PICK(kinds)();
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    first = pthread_self();
    state = strtoull(arguments[1], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
    left = strtol(arguments[2], NULL, 10);
    new_control();
    while (left > 0) any();
    for (unsigned i = 0; i < control_count; ++i) clingo_control_free(control_kept[i]);
    for (unsigned i = 0; i < ast_count; ++i) clingo_ast_release(asts[i]);
    printf("random calls: %ld, %ld of them errors\n", made, failed);
    return 0;
}
