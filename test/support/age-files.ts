import { workshopAge } from '../../src/service/workshop/age.ts';
import { operations } from '../../src/workshop/age.ts';
import { inThread } from '../../src/workshop/in-thread.ts';

/** age as the background has it, without a worker. */
export const ageFiles = workshopAge(inThread(operations()));
