import { type Gauge } from 'prom-client';

/** A value of a gauge and its labels. */
export interface Sample<L extends string> {
  readonly labels: Partial<Record<L, string>>;
  readonly value: number;
}

interface Source {
  readonly name: string;
  readonly measure: () => Promise<void>;
  readonly forget: () => void;
  /** Time of the last measurement in milliseconds of this process; undefined before the first. */
  measuredAt?: number;
  measuring?: Promise<void>;
}

/** Milliseconds for which values stay fresh, so that frequent scrapes do not load the database. */
const FRESH_MS = 5_000;
/** Timeout of a measurement in milliseconds, after which the scrape omits the gauge. */
const TIMEOUT_MS = 3_000;

/** Gauges that are expensive to measure, and are measured by a scrape. */
export class LazyGauges {
  readonly #sources: Source[] = [];

  /** Calls `failed` with the gauge's name each time the gauge cannot be measured. */
  constructor(private readonly failed: (metric: string) => void) {}

  add<L extends string>(gauge: Gauge<L>, find: () => Promise<readonly Sample<L>[]>): void {
    this.#sources.push({
      name: getGaugeName(gauge),
      measure: async () => {
        const samples = await find();
        gauge.reset(); // samples that no longer exist must not remain
        for (const { labels, value } of samples) gauge.set(labels, value);
      },
      forget: () => {
        gauge.reset();
        gauge.remove({}); // `reset` sets a gauge without labels to 0
      },
    });
  }

  /** Resolves when all gauges are fresh or have failed. */
  async refresh(now: () => number = () => performance.now()): Promise<void> {
    const stale = this.#sources.filter(({ measuredAt }) => measuredAt === undefined || now() - measuredAt > FRESH_MS);
    await Promise.all(stale.map((source) => this.#refresh(source, now)));
  }

  async #refresh(source: Source, now: () => number): Promise<void> {
    // A hanging measurement is not started again by the next scrape.
    source.measuring ??= source.measure().finally(() => (source.measuring = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), TIMEOUT_MS);
    });
    try {
      await Promise.race([source.measuring, late]);
      source.measuredAt = now();
    } catch {
      // An old value would look normal; alerts detect an absent one.
      source.forget();
      this.failed(source.name);
    } finally {
      clearTimeout(timer);
    }
  }
}

export function getGaugeName(gauge: object): string {
  return (gauge as { name: string }).name;
}
