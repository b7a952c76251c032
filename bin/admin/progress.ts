import { Presets, SingleBar } from 'cli-progress';
import type { Clock } from '../../functions/domain/time.ts';

/** Milliseconds after which progress is shown. */
const DELAY = 1000;

/** Shows progress on standard error, if that is a terminal, once a command takes long. */
export class Progress {
  readonly #bar: SingleBar;
  readonly #clock: Clock;
  readonly #showFrom: number;

  /** `format` is the text of the line, with the placeholders of cli-progress. */
  constructor(format: string, clock: Clock) {
    this.#bar = new SingleBar({ format, clearOnComplete: true }, Presets.shades_classic);
    this.#clock = clock;
    this.#showFrom = clock() + DELAY;
  }

  show(value: number, total = 0): void {
    if (this.#bar.isActive) this.#bar.update(value);
    else if (this.#clock() >= this.#showFrom) this.#bar.start(total, value);
  }

  stop(): void {
    this.#bar.stop();
  }
}
