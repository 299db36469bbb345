/*
 * Writes dist/wasm/<module>.wasm: the text that the kernel generators of
 * src/engine/wasm/generator make, assembled by wabt. The same sources give the same bytes.
 *
 *     npx tsx scripts/make-wasm.ts
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'fflate';
import wabt from 'wabt';
import { VARIANTS } from '../src/engine/wasm/generator/dsl/lookup.ts';
import type { Variant } from '../src/engine/wasm/generator/dsl/lookup.ts';
import { aegisModule } from '../src/engine/wasm/generator/aes/aegis.ts';
import { aesModule } from '../src/engine/wasm/generator/aes/aes.ts';
import { arxModule } from '../src/engine/wasm/generator/arx/arx.ts';
import { argon2Module } from '../src/engine/wasm/generator/hash/argon2.ts';
import { blakeModule } from '../src/engine/wasm/generator/hash/blake.ts';
import { ideaModule } from '../src/engine/wasm/generator/ciphers/idea.ts';
import { marsModule } from '../src/engine/wasm/generator/ciphers/mars.ts';
import { rc6Module } from '../src/engine/wasm/generator/ciphers/rc6.ts';
import { sc2000Module } from '../src/engine/wasm/generator/ciphers/sc2000.ts';
import { serpentModule } from '../src/engine/wasm/generator/ciphers/serpent.ts';
import { twofishModule } from '../src/engine/wasm/generator/ciphers/twofish.ts';
import { keccakModule } from '../src/engine/wasm/generator/hash/keccak.ts';
import { scryptModule } from '../src/engine/wasm/generator/arx/scrypt.ts';
import { mlDsaModule } from '../src/engine/wasm/generator/lattice/ml-dsa.ts';
import { mlKemModule } from '../src/engine/wasm/generator/lattice/ml-kem.ts';
import { montgomeryModule } from '../src/engine/wasm/generator/montgomery/montgomery.ts';
import { shaModule } from '../src/engine/wasm/generator/hash/sha.ts';

/** Every module of the engine by name, as its text. A family is one line here. */
export const MODULES: Readonly<Record<string, () => string>> = {
  ...variantsOf('aegis', aegisModule),
  ...variantsOf('aes', aesModule),
  ...variantsOf('arx', arxModule),
  ...variantsOf('blake', blakeModule),
  ...variantsOf('montgomery', montgomeryModule),
  // No relaxed instruction has a use in these: both variants would be the same.
  argon2: () => argon2Module(),
  // For the lanes of one derivation in several threads.
  'argon2.shared': () => argon2Module(true),
  idea: ideaModule,
  keccak: keccakModule,
  mars: marsModule,
  'ml-dsa': mlDsaModule,
  'ml-kem': mlKemModule,
  rc6: rc6Module,
  sc2000: sc2000Module,
  scrypt: scryptModule,
  serpent: serpentModule,
  sha: shaModule,
  twofish: twofishModule,
};

/** For the library; the Lab measures the ciphers among them, and the extension has none of them. */
export const LIBRARY_MODULES: readonly string[] = [
  'aegis.relaxed',
  'aegis.simd',
  'argon2.shared',
  'idea',
  'mars',
  'rc6',
  'sc2000',
  'serpent',
  'twofish',
];

function variantsOf(family: string, text: (variant: Variant) => string) {
  return Object.fromEntries(
    VARIANTS.map((variant) => [`${family}.${variant}`, () => text(variant)]),
  );
}

const FEATURES = { simd: true, relaxed_simd: true, threads: true };

/** @returns the binary module of a text */
export async function assemble(name: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const assembler = await wabt();
  const module = assembler.parseWat(`${name}.wat`, text, FEATURES);
  try {
    // Its type lacks the parameter.
    (module as { validate(features: typeof FEATURES): void }).validate(FEATURES);
    return Uint8Array.from(module.toBinary({ write_debug_names: false }).buffer);
  } finally {
    module.destroy();
  }
}

/** The script of a module in dist/lib/wasm: src/engine/wasm/packed-modules.d.ts. */
export function packedModule(bytes: Uint8Array): string {
  // Not by the zlib of Node, whose versions give other bytes.
  const packed = deflateSync(bytes, { level: 9 });
  return `const packed = "${Buffer.from(packed).toString('base64')}";\nexport default packed;\n`;
}

/**
 * @param folder holds nothing else: it is emptied first
 * @returns a line about each file: its name and sizes
 */
export async function makeWasm(folder: string): Promise<string[]> {
  const lines: string[] = [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(MODULES)) {
    const bytes = await assemble(name, text());
    writeFileSync(`${folder}/${name}.wasm`, bytes);
    lines.push(`${name}.wasm ${bytes.length} B`);
  }
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = await makeWasm(fileURLToPath(new URL('../dist/wasm', import.meta.url)));
  console.log(lines.join('\n'));
}
