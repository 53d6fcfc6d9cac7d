import { WARMUP_FIGURES, type WarmupFigures } from '../schemas/warmup-day.record';
import { type WarmupConfig } from '../schemas/warmup.record';
import { closeDay, type Progress } from '../plan/progress';
import { getOpenings, getWarmupShare } from '../plan/volume';
import { getHours, type WorkingHours } from '../plan/working-hours';

export interface MailboxSettings {
  id: string;
  config: WarmupConfig;
  dailySendLimit: number;
  gapSeconds: number;
  /** IANA zone. */
  timezone: string;
  /** Whether it is paused on that day, YYYY-MM-DD. */
  isPaused?: (date: string) => boolean;
}

/** A mailbox of the simulation: settings, position of its run, and history. */
export class SimulatedWarmupMailbox {
  progress: Progress;
  readonly hours: WorkingHours;
  readonly days = new Map<string, WarmupFigures>();
  /** Planned openings of the day, its own and those of others with it. */
  readonly planned = new Map<string, number>();
  readonly incoming = new Map<string, number>();
  lastSentAt = -Infinity;
  #evaluatedFrom = '';

  constructor(readonly settings: MailboxSettings) {
    const { config, dailySendLimit, timezone } = settings;
    this.hours = getHours(config, timezone);
    const currentVolume = getOpenings(1, config, { slowdown: null, dailySendLimit });
    const start = { status: 'in_progress', currentDay: 1, currentVolume, daysAtVolume: 0 } as const;
    this.progress = { ...start, slowdown: null, completedAt: null, suspension: null };
  }

  get isSending(): boolean {
    return this.progress.status === 'in_progress' || this.progress.status === 'completed';
  }

  get share(): number {
    return getWarmupShare(this.settings.dailySendLimit, this.settings.config);
  }

  getFigures(date: string): WarmupFigures {
    const known = this.days.get(date);
    if (known) return known;
    const none = Object.fromEntries(WARMUP_FIGURES.map((figure) => [figure, 0])) as WarmupFigures;
    this.days.set(date, none);
    return none;
  }

  close(date: string, now: Date): void {
    const closed = this.days.get(date);
    if (!closed || !this.isSending) return;
    const evaluated = [...this.days]
      .filter(([day]) => day >= this.#evaluatedFrom && day <= date)
      .map(([, figures]) => figures);
    const { config, dailySendLimit } = this.settings;
    this.progress = closeDay(this.progress, { config, dailySendLimit, closed, evaluated, now });
  }
}
