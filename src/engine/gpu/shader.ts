/**
 * Writes the steps of cipher.ts, and AES with them, in a shading language. The rest of a shader (where
 * blocks, counters and round keys are) is written by hand beside the engine that uses it.
 */
import type { Operation } from './batch.ts';
import { STEPS } from './cipher.ts';
import type { StepName, Words } from './cipher.ts';

/** How a shader computes a block: `data` of the message, and a mask, which is a function of the block's place. */
interface BlockOperation {
  readonly cipher: 'encryptPlanes' | 'decryptPlanes';
  readonly mask: 'noMask' | 'counterBlock' | 'offsetBlock';
  readonly input: (data: string, mask: string) => string;
  /** XORed to the cipher's result. */
  readonly output: (data: string, mask: string) => string;
}

const MASKED = {
  input: (data: string, mask: string) => `${data} ^ ${mask}`,
  output: (_data: string, mask: string) => mask,
};

/** The operations, in the terms of both languages. */
export const OPERATIONS: Readonly<Record<Operation, BlockOperation>> = {
  encrypt: { cipher: 'encryptPlanes', mask: 'noMask', ...MASKED },
  decrypt: { cipher: 'decryptPlanes', mask: 'noMask', ...MASKED },
  count: {
    cipher: 'encryptPlanes',
    mask: 'counterBlock',
    input: (_data, mask) => mask,
    output: (data) => data,
  },
  offsetEncrypt: { cipher: 'encryptPlanes', mask: 'offsetBlock', ...MASKED },
  offsetDecrypt: { cipher: 'decryptPlanes', mask: 'offsetBlock', ...MASKED },
};

/** The syntax in which the two shading languages differ. */
interface Dialect {
  readonly struct: string;
  readonly signature: (name: string, parameters: Readonly<Record<string, string>>) => string;
  readonly local: (name: string, value: string) => string;
  readonly variable: (type: 'Planes' | 'word', name: string, value: string) => string;
}

const PLANES = Array.from({ length: 8 }, (_, i) => `p${i}`);

const DIALECTS = {
  wgsl: {
    struct: `struct Planes { ${PLANES.map((name) => `${name}: u32`).join(', ')} }`,
    signature: (name, parameters) => {
      const own = Object.entries(parameters).map(([each, type]) => `${each}: ${wgslType(type)}`);
      return `fn ${name}(${own.join(', ')}) -> Planes`;
    },
    local: (name, value) => `let ${name} = ${value};`,
    variable: (type, name, value) => `var ${name}: ${wgslType(type)} = ${value};`,
  },
  glsl: {
    struct: `struct Planes { ${PLANES.map((name) => `uint ${name};`).join(' ')} };`,
    signature: (name, parameters) => {
      const own = Object.entries(parameters).map(([each, type]) => `${glslType(type)} ${each}`);
      return `Planes ${name}(${own.join(', ')})`;
    },
    local: (name, value) => `uint ${name} = ${value};`,
    variable: (type, name, value) => `${glslType(type)} ${name} = ${value};`,
  },
} satisfies Readonly<Record<string, Dialect>>;
/** A shading language: WebGPU's, or that of WebGL2 (GLSL ES 3.00). */
export type Language = keyof typeof DIALECTS;

const wgslType = (type: string): string => (type === 'word' ? 'u32' : type);
const glslType = (type: string): string => (type === 'word' ? 'uint' : type);

/**
 * The type `Planes`, and the functions `encryptPlanes`, `decryptPlanes` and `aesTranspose` on it. They call
 * `addRoundKey(planes, round)`, which the caller writes.
 *
 * @param addRoundKey the text of that function
 */
export function aesFunctions(language: Language, addRoundKey: string): string {
  const dialect: Dialect = DIALECTS[language];
  const steps = (Object.keys(STEPS) as StepName[]).map((name) => stepFunction(dialect, name));
  const parameters = { start: 'Planes', rounds: 'word' };
  return [
    dialect.struct,
    ...steps,
    addRoundKey,
    `${dialect.signature('encryptPlanes', parameters)} {
  ${dialect.variable('Planes', 'q', 'addRoundKey(start, 0u)')}
  for (${dialect.variable('word', 'r', '1u')} r < rounds; r++) {
    q = addRoundKey(aesMiddle(q), r);
  }
  return addRoundKey(aesLast(q), rounds);
}`,
    `${dialect.signature('decryptPlanes', parameters)} {
  ${dialect.variable('Planes', 'q', 'addRoundKey(start, rounds)')}
  for (${dialect.variable('word', 'r', 'rounds - 1u')} r > 0u; r--) {
    q = aesUnmix(addRoundKey(aesUndo(q), r));
  }
  return addRoundKey(aesUndo(q), 0u);
}`,
  ].join('\n');
}

/** One step: each operation is a line, each value a name. */
function stepFunction(dialect: Dialect, name: StepName): string {
  const lines: string[] = [];
  const local = (value: string): string => {
    const own = `v${lines.length}`;
    lines.push(`  ${dialect.local(own, value)}`);
    return own;
  };
  const words: Words<string> = {
    xor: (a, b) => local(`${a} ^ ${b}`),
    and: (a, b) => local(`${a} & ${b}`),
    mask: (a, bits) => local(`${a} & 0x${bits.toString(16)}u`),
    left: (a, places) => local(`${a} << ${places}u`),
    right: (a, places) => local(`${a} >> ${places}u`),
  };
  const results = STEPS[name](
    words,
    PLANES.map((plane) => `q.${plane}`),
  );
  const title = `aes${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return `${dialect.signature(title, { q: 'Planes' })} {
${lines.join('\n')}
  return Planes(${results.join(', ')});
}`;
}
