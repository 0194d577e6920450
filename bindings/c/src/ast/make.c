/* The variable arguments of clingo_ast_build as an array: Rust can call such functions but not define them. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct argument {
    int attribute;
    int kind;
};

struct value {
    int number;
    uint64_t symbol;
    void const *pointer;
    size_t size;
};

enum { MOST = 8 };

/* In make.rs: the attributes of a type, and how a node is made of as many values. */
struct argument const *asp_ast_shape(int type, size_t *size);
bool asp_ast_make(int type, struct value const *values, size_t size, void *ast);

__attribute__((visibility("hidden"))) bool asp_ast_build(int type, void *ast, ...) {
    struct value values[MOST] = {{0}};
    size_t size = 0;
    struct argument const *shape = asp_ast_shape(type, &size);
    va_list list;
    va_start(list, ast);
    for (size_t i = 0; i < size && i < MOST; ++i) {
        switch (shape[i].kind) {
            case 0: values[i].number = va_arg(list, int); break;
            case 1: values[i].symbol = va_arg(list, uint64_t); break;
            case 6:
            case 7:
                values[i].pointer = va_arg(list, void const *);
                values[i].size = va_arg(list, size_t);
                break;
            default: values[i].pointer = va_arg(list, void const *); break;
        }
    }
    va_end(list);
    return asp_ast_make(type, values, size, ast);
}
