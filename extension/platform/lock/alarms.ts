import type { Alarms } from 'webextension-polyfill';
import type { WakeUp } from '../../../src/service/vault/lock-keeper.ts';

const NAME = 'auto-lock';

/**
 * Wakes the worker at the lock deadline. Alarms may be late (Chromium rounds up to half a minute), so
 * the deadline is also checked at each use.
 */
export class AlarmWakeUp implements WakeUp {
  readonly #alarms: Alarms.Static;

  constructor(alarms: Alarms.Static) {
    this.#alarms = alarms;
  }

  async at(time: number | null): Promise<void> {
    if (time === null) await this.#alarms.clear(NAME);
    else await this.#alarms.create(NAME, { when: time });
  }

  /** To be called in the first task: a woken worker gets its event right after it. */
  onDue(listener: () => void): void {
    this.#alarms.onAlarm.addListener(({ name }) => {
      if (name === NAME) listener();
    });
  }
}
