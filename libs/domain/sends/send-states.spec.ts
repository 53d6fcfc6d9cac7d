import { SEND_STATES, type SendState } from './schemas/send.record';
import { toSendFields } from './send-outcome';
import { countsAsSent, IN_FLIGHT, isFinalSendState, maySendBecome, wasTried } from './send-states';

const LEGAL: readonly [SendState, SendState][] = [
  ['claimed', 'sending'],
  ['claimed', 'retry'],
  ['claimed', 'failed'],
  ['claimed', 'withheld'],
  ['sending', 'sent'],
  ['sending', 'retry'],
  ['sending', 'failed'],
  ['sending', 'ambiguous'],
  ['retry', 'claimed'],
  ['claimed', 'planned'],
  ['withheld', 'planned'],
  ['planned', 'claimed'],
  ['ambiguous', 'sent'],
  ['ambiguous', 'sent_unconfirmed'],
  ['ambiguous', 'retry'],
  ['ambiguous', 'failed'],
];
const ALL = SEND_STATES.flatMap((from) => SEND_STATES.map((to) => [from, to] as const));

describe('states of a send', () => {
  it.each(ALL)('%s to %s is possible only if the table of the design has it', (from, to) => {
    expect(maySendBecome(from, to)).toBe(LEGAL.some(([one, other]) => one === from && other === to));
  });

  it('sent, sent_unconfirmed and failed are final', () => {
    expect(SEND_STATES.filter(isFinalSendState)).toEqual(['sent', 'failed', 'sent_unconfirmed']);
  });

  it('`sending` is reached only from a claim, and never returns to a claim', () => {
    expect(SEND_STATES.filter((from) => maySendBecome(from, 'sending'))).toEqual(['claimed']);
    expect(maySendBecome('sending', 'claimed')).toBe(false);
    expect(maySendBecome('ambiguous', 'claimed')).toBe(false);
  });

  it('only a send that was sent, as far as can be known, continues the sequence', () => {
    expect(SEND_STATES.filter(countsAsSent)).toEqual(['sent', 'sent_unconfirmed']);
    expect(IN_FLIGHT).toEqual(['claimed', 'sending', 'withheld']);
  });

  it('a send that was only claimed was not attempted, unless an attempt preceded it', () => {
    const untried: SendState[] = ['planned', 'claimed', 'withheld'];
    expect(SEND_STATES.filter((state) => !wasTried({ state, attempt: 1 })).toSorted()).toEqual(untried.toSorted());
    expect(SEND_STATES.filter((state) => !wasTried({ state, attempt: 2 }))).toEqual([]);
    expect(wasTried({ state: 'retry', attempt: 0 })).toBe(false);
  });
});

describe('fields of an outcome', () => {
  const at = new Date('2026-03-01T10:00:00Z');

  it('of a sent email contain the time and the ids, and no draft', () => {
    expect(toSendFields('sending', { state: 'sent', at, providerMessageId: 'p1' })).toEqual({
      state: 'sent',
      sentAt: at,
      providerMessageId: 'p1',
      draftId: null,
      reason: null,
      resolveAt: null,
    });
  });

  it('of an ambiguous email keep the known draft and the time of the resolution', () => {
    expect(toSendFields('sending', { state: 'ambiguous', reason: 'No answer', resolveAt: at })).toEqual({
      state: 'ambiguous',
      reason: 'No answer',
      resolveAt: at,
    });
  });

  it('are refused for a transition that does not exist', () => {
    expect(() => toSendFields('claimed', { state: 'sent', at })).toThrow('A send does not go from claimed to sent');
    expect(() => toSendFields('sent', { state: 'retry', reason: '' })).toThrow('from sent to retry');
  });
});
