import type { InputOf, Operation, OutputOf, ProgressOf } from '../rpc/workshop.ts';

/** Does an operation. The bytes among the secrets are its caller's to wipe. */
export type Perform = <M extends Operation>(
  operation: M,
  input: InputOf<M>,
  report: (event: ProgressOf<M>) => void,
) => Promise<OutputOf<M>>;

/** The functions behind rows of the table. */
export type Operations = {
  readonly [M in Operation]: (
    input: InputOf<M>,
    report: (event: ProgressOf<M>) => void,
  ) => Promise<OutputOf<M>>;
};

/** The first part of an operation's name. */
export type GroupOf<M> = M extends `${infer G}.${string}` ? G : M;
/** The operations whose names begin alike, or the one of that name. */
export type Group<G extends string> = Pick<Operations, Extract<Operation, G | `${G}.${string}`>>;
