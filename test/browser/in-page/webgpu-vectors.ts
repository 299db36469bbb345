/* The suites of `webgpu`, and every vector of its algorithms. */
import { describeVectors } from './card.ts';
import { card } from './webgpu.ts';

await describeVectors(card);
