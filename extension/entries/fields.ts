/*
 * Injected into a frame when the user acts (a menu, a key, the popup). It leaves one object in the
 * extension's isolated world, where the background finds it and pages do not.
 */
import { FieldScript } from '../fields/field-script.ts';

interface FieldWorld {
  sealwrightFields?: FieldScript;
}

const world = globalThis as FieldWorld;
// When injected again, the newest script takes over with the state of open windows.
world.sealwrightFields = new FieldScript(world.sealwrightFields?.state);
