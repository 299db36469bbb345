/* The suites of `webgl`, and every vector of its algorithms. */
import { describeVectors } from './card.ts';
import { card } from './webgl.ts';

await describeVectors(card);
