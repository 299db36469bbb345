import type { AnswersOf } from '../call.ts';
import { MethodServer } from './method-server.ts';
import type { ServerOptions } from './method-server.ts';
import { METHODS } from '../methods/methods.ts';
import type { Methods } from '../methods/methods.ts';

/** Answers every method of the table, each to the callers that may use it. */
export class Server extends MethodServer<Methods> {
  constructor(implementations: AnswersOf<Methods>, options?: ServerOptions) {
    super(METHODS, implementations, options);
  }
}
