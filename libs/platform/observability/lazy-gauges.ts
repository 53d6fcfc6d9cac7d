import { type Gauge } from 'prom-client';

/** One value of a gauge, and the labels that it is for. */
export interface Sample<L extends string> {
  readonly labels: Partial<Record<L, string>>;
  readonly value: number;
}

interface Source {
  readonly name: string;
  readonly measure: () => Promise<void>;
  readonly forget: () => void;
  /** Milliseconds of this process; none while it was never measured. */
  measuredAt?: number;
  measuring?: Promise<void>;
}

/** Several who ask at the same time, or one who asks too often, do not cost the database more. */
const FRESH_MS = 5_000;
/** A gauge that is not measured by then is left out: whoever asks has not for ever. */
const TIMEOUT_MS = 3_000;

/** Gauges that cost something to know, and are found out when somebody asks. */
export class LazyGauges {
  readonly #sources: Source[] = [];

  /** `failed` is told the gauge's name whenever it could not be measured. */
  constructor(private readonly failed: (metric: string) => void) {}

  add<L extends string>(gauge: Gauge<L>, find: () => Promise<readonly Sample<L>[]>): void {
    this.#sources.push({
      name: getName(gauge),
      measure: async () => {
        const samples = await find();
        gauge.reset(); // what is not there any more must not stay
        for (const { labels, value } of samples) gauge.set(labels, value);
      },
      forget: () => {
        gauge.reset();
        gauge.remove({}); // a gauge without labels is put to 0 by that
      },
    });
  }

  /** Returns when all gauges are fresh, or given up for this time. */
  async refresh(now: () => number = () => performance.now()): Promise<void> {
    const stale = this.#sources.filter(({ measuredAt }) => measuredAt === undefined || now() - measuredAt > FRESH_MS);
    await Promise.all(stale.map((source) => this.#refresh(source, now)));
  }

  async #refresh(source: Source, now: () => number): Promise<void> {
    // One that hangs is asked once and not again with each scrape.
    source.measuring ??= source.measure().finally(() => (source.measuring = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), TIMEOUT_MS);
    });
    try {
      await Promise.race([source.measuring, late]);
      source.measuredAt = now();
    } catch {
      // An old value would look like a quiet night: no value is what alerts can see.
      source.forget();
      this.failed(source.name);
    } finally {
      clearTimeout(timer);
    }
  }
}

export function getName(gauge: object): string {
  return (gauge as { name: string }).name;
}
