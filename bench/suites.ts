import { blocks } from './aes/blocks.ts';
import { aes } from './aes/suite.ts';
import { arx } from './arx/suite.ts';
import { ciphers } from './ciphers/suite.ts';
import { engine } from './engine/suite.ts';
import { gpu } from './gpu/suite.ts';
import { curves } from './hashes/curves.ts';
import { hashes } from './hashes/suite.ts';
import { lane } from './lane/suite.ts';
import { powers } from './powers/suite.ts';
import { pq } from './pq/suite.ts';
import type { Suite } from './suite.ts';
import { sync } from './sync/suite.ts';
import { threads } from './threads/suite.ts';
import { unlock } from './unlock/suite.ts';

/** Every suite, in the order in which they run. A new one is a folder and a line here. */
export const SUITES: readonly Suite[] = [
  aes,
  blocks,
  hashes,
  curves,
  arx,
  ciphers,
  powers,
  pq,
  engine,
  threads,
  gpu,
  lane,
  sync,
  unlock,
];
