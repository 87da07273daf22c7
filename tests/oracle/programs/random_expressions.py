"""Random expressions with operands of known types, so that compilers accept nearly all of them."""

from __future__ import annotations

from collections.abc import Callable

from .random_operands import BASES, FLOAT, INT, SIZES, WIDTHS, OperandWriter, ValueType


class ExpressionWriter(OperandWriter):
    """Writes expressions of a type."""

    def parts(self, type_: ValueType, depth: int, *, spread: bool = True) -> str:
        """The elements of a vector literal; perhaps only one scalar, which the literal may spread."""
        if spread and self.chance.random() < 0.3:
            return self.expression(ValueType(type_.base), depth)
        made, left = [], type_.width
        while left:
            width = self.chance.choice([each for each in (1, 1, *WIDTHS) if each <= left])
            made.append(self.assigned(ValueType(type_.base, width), depth - 1))
            left -= width
        return ", ".join(made)

    def assigned(self, type_: ValueType, depth: int) -> str:
        """An assignment expression: no comma outside of parentheses."""
        return self.expression(type_, depth)

    def operand(self, type_: ValueType, depth: int) -> str:
        """A unary expression: binds tighter than any binary operator."""
        text = self.expression(type_, depth)
        return text if text.replace("_", "a").isalnum() else f"({text})"

    def expression(self, type_: ValueType, depth: int) -> str:
        """An expression without a comma operator outside of parentheses."""
        if depth <= 0:
            return self.leaf(type_)
        made = self._vector(type_, depth - 1) if type_.width > 1 else self._scalar(type_, depth - 1)
        return self.chance.choice([*made, *self._any(type_, depth - 1)])()

    def _any(self, type_: ValueType, depth: int) -> list[Callable[[], str]]:
        """What vectors and scalars have in common."""

        def of(wanted: ValueType = type_) -> str:
            return self.operand(wanted, depth)

        signs = ("+", "-", "*", "/", *(("%", "&", "|", "^", "<<", ">>") if type_.is_integer else ()))
        made: list[Callable[[], str]] = [
            lambda: f"{of()} {self.pick(signs)} {of()}",
            lambda: f"{of()}{self.pick(('+-', '-+', '*-', '/+', '+ +', '- -'))}{of()}",
            lambda: f"{self.pick(('- ', '-', '+'))}{of()}",
            lambda: f"({self.expression(type_, depth)})",
            lambda: f"({self.index(0)}, {self.expression(type_, depth)})",
            lambda: f"ID({self.expression(type_, depth)})",
            lambda: f"ADD({self.expression(type_, depth)}, {self.expression(type_, depth)})",
            lambda: f"FIRST({self.expression(type_, depth)}, , (1, 2))",
            lambda: f"({{ {self.spelled(type_)} z = {self.expression(type_, depth)}; z; }})",
            lambda: f"{of(INT)} ? {of()} : {of()}",
            lambda: f"({self.object(type_, depth)} = {self.expression(type_, depth)})",
            lambda: f"({self.object(type_, depth)} {self.pick(signs)}= {self.expression(type_, depth)})",
            lambda: self.object(type_, depth),
            lambda: f"({self.object(type_, depth)})",
            lambda: f"*&{self.object(type_, depth)}" if type_.width > 1 else of(),
            lambda: (
                f"{self.pick(('min', 'max', '(max)', 'min'))}({self.cast(type_, depth)}, {self.cast(type_, depth)})"
            ),
            lambda: f"clamp({self.cast(type_, 0)}, {self.cast(type_, 0)}, {self.cast(type_, 0)})",
            lambda: self.cast(type_, depth),
            lambda: self.cast(type_, depth),
            lambda: f"convert_{type_.name}({self.cast(ValueType(self.pick(BASES), type_.width), depth)})",
            lambda: (
                f"convert_{type_.name}_sat{self.pick(('', '_rte'))}({self.cast(type_, 0)})"
                if type_.is_integer
                else of()
            ),
            lambda: f"as_{type_.name}(({self.same_size(type_)})({self.expression(INT, 0)}))",
            lambda: f"overloaded({self.object(type_, 0)})",
        ]
        if type_.is_integer:
            made.append(lambda: f"~{of()}")
            made.append(
                lambda: (
                    f"{self.pick(('-', '~', '+', '!!', '- -'))}{self.counted(type_)}{self.pick(('++', '--'))}"
                )
            )
            made.append(lambda: f"{self.pick(('-', '~', ''))}{self.pick(('++', '--'))}{self.counted(type_)}")
            made.append(lambda: self.chain(type_, "+-*/%&|^"))
            made.append(lambda: f"{self.pick(('++', '--'))}{self.object(type_, 0)}")
            made.append(lambda: f"({self.object(type_, 0)}){self.pick(('++', '--'))}")
        return made

    def cast(self, type_: ValueType, depth: int) -> str:
        """A cast to the type, or a vector literal, in one of many forms."""
        name = self.spelled(type_)
        if type_.width > 1:
            return self.pick(
                (
                    f"({name})({self.parts(type_, depth)})",
                    f"({name})({self.expression(type_, depth)})",
                    f"({name}){self.operand(ValueType(type_.base), 0)}",
                    f"({name}){{ {self.parts(type_, 0, spread=False)} }}",
                )
            )
        return self.pick(
            (
                f"({name}){self.operand(self.scalar(), depth)}",
                f"({name})({self.expression(self.scalar(), depth)})",
                f"({name})({self.pick(('bytes', 'ints', 'floats'))}){self.pick(('[0]', '[i]', '[n + 1]'))}",
                f"({name})({self.name(ValueType('int', 4))}){self.component(4)}",
                f"({name})(record).{self.pick(('a', 'v.x', 'inner.b', 'list[1]', 'u', 'pair.s1'))}",
                f"({name})(&record)->{self.pick(('a', 'v.x', 'inner.b', 'list[1]', 'f'))}",
                f"({name}){self.pick(('-', '+', '!', ''))}{self.operand(INT, depth)}",
                f"({name})({self.spelled(self.scalar())}){self.operand(INT, depth)}",
                f"({name})({self.spelled(self.scalar())})(bytes)[{self.index(0)}]",
                f"({name})sizeof({self.spelled(self.type())})",
                f"({name})(n){self.pick(('++', '--'))}",
                f"({name})'a'",
                f"({name}){{ {self.expression(self.scalar(), depth)} }}",
                f"({name})dot({self.expression(ValueType('float', 4), 0)}, {self.expression(ValueType('float', 4), 0)})",
                f"({name})(abs)({self.expression(INT, 0)})",
            )
        )

    def _vector(self, type_: ValueType, depth: int) -> list[Callable[[], str]]:
        def of(wanted: ValueType = type_) -> str:
            return self.operand(wanted, depth)

        source = ValueType(type_.base, self.chance.choice(WIDTHS))
        mask = type_.comparison
        made: list[Callable[[], str]] = [
            lambda: f"{of(source)}{self.swizzle(source.width, type_.width)}",
            lambda: f"({self.cast(source, depth)}){self.swizzle(source.width, type_.width)}",
            lambda: f"{self.postfixed(source)}{self.swizzle(source.width, type_.width)}",
            lambda: (
                f"({self.spelled(source, plain=True)})({self.parts(source, depth)}){self.swizzle(source.width, type_.width)}"
            ),
            lambda: f"{of()} {self.pick('+-*/')} {of(ValueType(type_.base))}",
            lambda: f"{of(ValueType(type_.base))} {self.pick('+-*')} {of()}",
            lambda: f"{of(mask)} ? {of()} : {of()}",
            lambda: f"select({self.cast(type_, depth)}, {self.cast(type_, 0)}, {self.cast(mask, 0)})",
        ]
        if type_ == mask:
            compared = ValueType(
                self.pick([each for each in BASES if SIZES[each] == SIZES[type_.base]]), type_.width
            )
            made += [
                lambda: f"({of(compared)} {self.pick(('==', '!=', '<', '>', '<=', '>='))} {of(compared)})",
                lambda: f"({of()} {self.pick(('&&', '||'))} {of()})",
                lambda: f"!{of(compared)}",
            ]
        if type_ in self.pointers and type_.width != 3:
            base = ValueType(type_.base)
            made.append(lambda: f"vload{type_.width}({self.index(0)}, {self.pick(self.pointers[base])})")
        if not type_.is_integer:
            made += [
                lambda: (
                    f"{self.pick(('fabs', 'sin', 'native_exp', 'sqrt', 'floor'))}({self.cast(type_, depth)})"
                ),
                lambda: (
                    f"{self.pick(('mad', 'fma', 'mix'))}({self.cast(type_, 0)}, {self.cast(type_, 0)}, {self.cast(type_, 0)})"
                ),
            ]
        return made

    def _scalar(self, type_: ValueType, depth: int) -> list[Callable[[], str]]:
        def of(wanted: ValueType | None = None) -> str:
            return self.operand(wanted if wanted is not None else self.scalar(), depth)

        vector = ValueType(type_.base, self.chance.choice(WIDTHS))
        other = self.type()
        made: list[Callable[[], str]] = [
            lambda: f"{of(vector)}{self.component(vector.width)}",
            lambda: f"{of(vector)}[{self.index(0)}]",
            lambda: f"({self.cast(vector, depth)}){self.component(vector.width)}",
            lambda: (
                f"({self.spelled(vector, plain=True)})({self.parts(vector, depth)}){self.component(vector.width)}"
            ),
            lambda: (
                self.pick(
                    (
                        "record",
                        "(record)",
                        "(*record_pointer)",
                        "records[1]",
                        "(*(records + i))",
                        "make(n)",
                        "((struct record){ 1, 2 })",
                        "((record_t){ .a = 1 })",
                    )
                )
                + self.member(type_)
            ),
            lambda: (
                self.pick(
                    (
                        "record_pointer",
                        "(&record)",
                        "records",
                        "(records + 1)",
                        "(&records[i])",
                        "((private record_t *)record_pointer)",
                        "(&(record_t){ 1, { 2 } })",
                        "record_pointer++",
                    )
                )
                + "->"
                + self.member(type_)[1:]
            ),
            lambda: f"plain({of()}, {of(FLOAT)})",
        ]
        if type_.is_integer:
            made += [
                lambda: f"{of()} {self.pick(('==', '!=', '<', '>', '<=', '>='))} {of()}",
                lambda: f"{of()} {self.pick(('&&', '||'))} {of()}",
                lambda: f"!{of()}",
                lambda: f"sizeof {self.operand(other, depth)}",
                lambda: f"sizeof({self.expression(other, depth)})",
                lambda: f"sizeof({self.spelled(other)})",
                lambda: f"sizeof({self.spelled(other)}) {self.pick('+-*&/%')} {of(INT)}",
                lambda: (
                    f"sizeof(private {self.spelled(other)} *) + sizeof({self.spelled(other)}[{self.pick('123')}])"
                ),
                lambda: f"sizeof({self.cast(other, depth)})",
                lambda: (
                    f"sizeof {self.pick(('record', '(record)', '(record_t)', 'records', 'ints[0]', '(ints)[0]', '*record_pointer', '&ints', '(record).v'))}"
                    if self.chance.random() < 0.9
                    else "sizeof(struct record)"
                ),
                lambda: f"{self.pointer(INT, depth)} - {self.pick(self.pointers[INT])}",
                lambda: (
                    f"{self.pointer(other, depth)} == {self.pick(self.pointers[other])}"
                    if other in self.pointers
                    else of()
                ),
                lambda: f"{self.index(0)}[ints]",
                lambda: f"(int[]){{ {of(INT)}, [2] = {of(INT)} }}[{self.index(0)}]",
                lambda: f"((ints_t){{ {of(INT)} }})[{self.index(0)}]",
                lambda: f"(ints_t){{ [0 ... 2] = {of(INT)} }}[i]",
                lambda: f"*(int *){self.pointer(INT, 0)}",
                lambda: f"any({of(ValueType('int', 4))}) + all({of(ValueType('int', 2))})",
                lambda: f"({self.pick(('enum e', 'e_t', 'enum_t'))})({of(INT)}) {self.pick('+|&')} E_TWO",
                lambda: "(*rows)[1] + matrix[i][2] + *matrix[1] + (*(matrix + 1))[0] + rows[0][1]",
                lambda: "*" * 2 + self.pick(("deep", "(deep)", "(&*deep)", "(deep + 0)")),
                lambda: f"CAT(E_, {self.pick(('ONE', 'TWO'))}) + CAT(, 1) + COUNT(a, b, (c, d)) + NOTHING 1",
                lambda: (
                    f"MEMBER(record, a) + {self.pick(('GET(record)', 'get(&record)', 'SELF', 'LONG_MACRO(n, 1)'))}"
                ),
                lambda: "__builtin_offsetof(record_t, v) + sizeof(((private record_t *)0)->list)",
                lambda: f"{of(INT)} ?: {of(INT)}",
            ]
        else:
            made += [
                lambda: (
                    f"{self.pick(('fabs', 'sin', 'native_exp', 'sqrt', 'length', 'half_cos'))}({of(FLOAT)})"
                ),
                lambda: f"dot({of(ValueType('float', 4))}, {of(ValueType('float', 4))})",
                lambda: f"fma({of(FLOAT)}, {of(FLOAT)}, {of(FLOAT)})",
            ]
        return made

    def member(self, type_: ValueType) -> str:
        """A member of the preamble's struct, with its dot."""
        if not type_.is_integer:
            return self.pick((".f", ".v.x", ".v.hi.y", ".inner.q[1].s0", ".v.wzyx.x", ".v[2]"))
        return self.pick((".a", ".inner.b", ".list[1]", ".u", ".pair.x", ".inner.b", ".e", ".T", ".self->a"))
