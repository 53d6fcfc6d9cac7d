import { addDays, getDay, startOfDay } from '@platform/time';
import { type Placement } from '../schemas/warmup-mail.record';
import { LEAST_GAP_SECONDS, planDay } from '../plan/day-plan';
import { type Draw, getDraws } from '../plan/seeded-random';
import { LOOKBACK_DAYS, type PairHistory, type Peer } from '../plan/peers';
import { decideReply } from '../plan/reply-decision';
import { getMaxReceived, getRoomForAnswers } from '../plan/volume';
import { getWorkingMoment } from '../plan/working-hours';
import { SimulationTimeline } from './simulation-timeline';
import { type MailboxSettings, SimulatedWarmupMailbox } from './simulated-warmup-mailbox';

/** Simulated fate of a mail: its placement, or its return. */
export type Fate = (mail: { from: string; to: string; date: string }, draw: Draw) => Placement | 'bounced';

export interface SentMail {
  id: string;
  from: string;
  to: string;
  at: Date;
  /** YYYY-MM-DD in the sender's zone. */
  date: string;
  position: number;
  fate: Placement | 'bounced';
  answered: boolean;
}

/** The planned day of a mailbox. */
export interface PlannedDay {
  mailboxId: string;
  date: string;
  currentDay: number;
  volume: number;
  status: string;
}

export interface SimulationInput {
  mailboxes: readonly MailboxSettings[];
  /** YYYY-MM-DD */
  firstDay: string;
  days: number;
  fate: Fate;
  seed: string;
}

type Due =
  | { at: number; kind: 'day'; mailbox: SimulatedWarmupMailbox; date: string }
  | { at: number; kind: 'mail'; from: SimulatedWarmupMailbox; to: SimulatedWarmupMailbox; position: number };

const TRANSIT_MS = 20_000;

/** A simulated pool with its own clock. It uses the plan, reply and progress decisions of the worker. */
export class WarmupSimulation {
  readonly sent: SentMail[] = [];
  readonly planned: PlannedDay[] = [];
  readonly #mailboxes: Map<string, SimulatedWarmupMailbox>;
  readonly #due = new SimulationTimeline<Due>();
  /** Threads of each pair by day. */
  readonly #pairs = new Map<string, Map<string, number>>();
  readonly #fates: Draw;

  constructor(private readonly input: SimulationInput) {
    this.#mailboxes = new Map(input.mailboxes.map((settings) => [settings.id, new SimulatedWarmupMailbox(settings)]));
    this.#fates = getDraws('fates', input.seed);
  }

  addMailbox(id: string): SimulatedWarmupMailbox {
    const mailbox = this.#mailboxes.get(id);
    if (!mailbox) throw new Error(`There is no mailbox ${id}`);
    return mailbox;
  }

  run(): this {
    const { firstDay, days } = this.input;
    for (const mailbox of this.#mailboxes.values()) this.#startDay(mailbox, firstDay);
    const last = addDays(firstDay, days - 1);
    for (let due = this.#due.next(); due; due = this.#due.next()) {
      if (due.kind === 'mail') this.#send(due, last);
      else if (due.date <= last) this.#beginDay(due.mailbox, due.date, new Date(due.at));
      else due.mailbox.close(addDays(due.date, -1), new Date(due.at));
    }
    return this;
  }

  #startDay(mailbox: SimulatedWarmupMailbox, date: string): void {
    this.#due.add({ at: startOfDay(date, mailbox.hours.timezone).getTime(), kind: 'day', mailbox, date });
  }

  #beginDay(mailbox: SimulatedWarmupMailbox, date: string, now: Date): void {
    mailbox.close(addDays(date, -1), now);
    this.#startDay(mailbox, addDays(date, 1));
    const { id, gapSeconds, config } = mailbox.settings;
    const { currentDay, currentVolume: volume, status } = mailbox.progress;
    if (!this.#isWorking(mailbox, date)) return;
    const plan = planDay({
      mailbox: { id, gapSeconds, languages: config.languages, hours: mailbox.hours },
      date,
      volume,
      peers: this.#listPeers(mailbox, date),
      history: this.#getHistory(mailbox, date),
      seed: this.input.seed,
    });
    mailbox.planned.set(date, plan.length);
    if (plan.length > 0) this.planned.push({ mailboxId: id, date, currentDay, volume, status });
    for (const { at, to } of plan) {
      const peer = this.addMailbox(to);
      peer.incoming.set(date, (peer.incoming.get(date) ?? 0) + 1);
      this.#countPair(id, to, date);
      this.#due.add({ at: at.getTime(), kind: 'mail', from: mailbox, to: peer, position: 0 });
    }
  }

  #listPeers(self: SimulatedWarmupMailbox, date: string): Peer[] {
    const others = [...this.#mailboxes.values()].filter((peer) => peer !== self && this.#isWorking(peer, date));
    return others.map(({ settings: { id, config, dailySendLimit }, progress, incoming }) => ({
      id,
      languages: config.languages,
      incoming: incoming.get(date) ?? 0,
      mostReceived: getMaxReceived(dailySendLimit, config, progress.currentVolume),
    }));
  }

  #isWorking(mailbox: SimulatedWarmupMailbox, date: string): boolean {
    return mailbox.isSending && !mailbox.settings.isPaused?.(date);
  }

  #getHistory({ settings: { id } }: SimulatedWarmupMailbox, date: string): PairHistory {
    const [today, days] = [new Map<string, number>(), new Map<string, string[]>()];
    const since = addDays(date, -LOOKBACK_DAYS);
    for (const other of this.#mailboxes.keys()) {
      const threads = this.#pairs.get(getPairKey(id, other));
      if (!threads) continue;
      today.set(other, threads.get(date) ?? 0);
      const before = [...threads.keys()].filter((day) => day >= since && day < date);
      days.set(other, before);
    }
    return { today, days };
  }

  #countPair(one: string, other: string, date: string): void {
    const threads = this.#pairs.get(getPairKey(one, other)) ?? new Map<string, number>();
    threads.set(date, (threads.get(date) ?? 0) + 1);
    this.#pairs.set(getPairKey(one, other), threads);
  }

  #send(mail: Extract<Due, { kind: 'mail' }>, last: string): void {
    const { from, to, position } = mail;
    const date = getDay(new Date(mail.at), from.hours.timezone);
    if (date > last || !this.#isWorking(from, date)) return;
    const at = this.#getMoment(mail, date);
    if (at !== mail.at) return this.#due.add({ ...mail, at });
    from.lastSentAt = at;
    const figures = from.getFigures(date);
    const fate = this.input.fate({ from: from.settings.id, to: to.settings.id, date }, this.#fates);
    const id = `mail-${this.sent.length}`;
    const sent = {
      id,
      from: from.settings.id,
      to: to.settings.id,
      at: new Date(at),
      date,
      position,
      fate,
      answered: false,
    };
    this.sent.push(sent);
    figures.attempted += 1;
    figures.sent += 1;
    if (position === 0) figures.openings += 1;
    if (fate === 'bounced') figures.bounced += 1;
    else sent.answered = this.#record(sent, fate, mail);
  }

  /** Returns when the mail may leave: now, after the gap, or, for an answer without room, on the next day. */
  #getMoment({ from, at, position }: Extract<Due, { kind: 'mail' }>, date: string): number {
    const { sent, openings } = from.getFigures(date);
    const planned = from.planned.get(date) ?? 0;
    if (position > 0 && getRoomForAnswers(from.share, { openings: planned, answered: sent - openings }) === 0) {
      const tomorrow = startOfDay(addDays(date, 1), from.hours.timezone);
      return getWorkingMoment(tomorrow, from.hours, this.#fates)?.getTime() ?? at;
    }
    const gapMs = Math.max(LEAST_GAP_SECONDS, from.settings.gapSeconds) * 1_000;
    const rested = Math.max(at, from.lastSentAt + gapMs);
    return getWorkingMoment(new Date(rested), from.hours, this.#fates)?.getTime() ?? rested;
  }

  /** @returns whether it is answered */
  #record(sent: SentMail, placement: Placement, { from, to, position }: Extract<Due, { kind: 'mail' }>): boolean {
    const receivedAt = new Date(sent.at.getTime() + TRANSIT_MS);
    const date = getDay(receivedAt, to.hours.timezone);
    const own = from.getFigures(sent.date);
    if (placement !== 'unknown') own[placement] += 1;
    own.opened += 1;
    if (position > 0) to.getFigures(date).repliesReceived += 1;
    const theirs = to.getFigures(date);
    theirs.received += 1;
    if (placement === 'spam') theirs.rescued += 1;
    const receiver = { mailboxId: to.settings.id, rates: to.settings.config.replyRates };
    const { answers, afterMs } = decideReply({ mailId: sent.id, position, placement, receiver, date });
    if (!answers || afterMs === null) return false;
    const at = getWorkingMoment(new Date(receivedAt.getTime() + afterMs), to.hours, this.#fates);
    if (at) this.#due.add({ at: at.getTime(), kind: 'mail', from: to, to: from, position: position + 1 });
    return at !== null;
  }
}

function getPairKey(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
