import { MethodClient } from './method-client.ts';
import type { ClientDeps } from './method-client.ts';
import { METHODS } from '../methods/methods.ts';
import type { Methods } from '../methods/methods.ts';

/** Calls of every method; the other end decides which of them its caller may use. */
export class Client extends MethodClient<Methods> {
  constructor(deps: ClientDeps) {
    super(METHODS, deps);
  }
}
