import { type EventData } from '@domain/events';
import { type BounceEvidence, WINDOW_DAYS } from '../rate/bounce-rate';
import { type StopEvidence } from '../schemas/protected-subject.record';
import { type Subject } from '../tally/bounce-tally';

type EventEvidence = NonNullable<EventData<'mailbox.sending_stopped'>['evidence']>;

const OF: Record<Subject['kind'], string> = { campaign: 'this campaign', mailbox: 'this mailbox', domain: '' };

/** Why it was stopped, and what to do: for whoever resumes it. */
export function createPauseMessage({ kind, key }: Subject, { sends, bounces, rate }: BounceEvidence): string {
  const of = kind === 'domain' ? `the sending domain ${key}` : OF[kind];
  const what = kind === 'campaign' ? 'the campaign' : 'the mailbox';
  return (
    `${bounces} of ${sends} emails of ${of} in ${WINDOW_DAYS} days came back because nobody is at the address ` +
    `(${(rate * 100).toFixed(1)} %). Check where the addresses come from, then resume ${what}.`
  );
}

/** The evidence as events tell it: times as text, and nothing that the record has besides. */
export function describeEvidence({ sends, bounces, rate, bound, from, to }: StopEvidence): EventEvidence {
  return { sends, bounces, rate, bound, from: from.toISOString(), to: to.toISOString() };
}
