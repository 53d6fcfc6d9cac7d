import { type AgentRecord } from '../../schemas/agent.record';
import { DEFAULT_AUTONOMY, DEFAULT_FOLLOWUPS } from '../../settings/agent-defaults';
import { MAX_IN_THREAD, type ReplyEligibilityFacts, decideReplyEligibility } from './reply-eligibility';

type Mode = AgentRecord['autonomousMode'];

function agent(mode: Partial<Mode> = {}, more: Partial<AgentRecord> = {}): ReplyEligibilityFacts['agent'] {
  const autonomousMode = { ...DEFAULT_AUTONOMY, enabled: true, ...mode };
  const followupSettings = { ...DEFAULT_FOLLOWUPS, enabled: true, maxFollowups: 2 };
  return { isActive: true, autonomousMode, followupSettings, ...more };
}

const FINE: ReplyEligibilityFacts = {
  isOff: false,
  agent: agent(),
  position: 0,
  plannedFor: 'positive',
  label: 'positive',
  isLabelling: false,
  answered: { text: 'Sounds good' },
  hasForeignReplyTo: false,
  hasNewer: false,
  isAnsweredByHand: false,
  isSuppressed: false,
  isWithLead: true,
  inThread: 0,
};
const look = (facts: Partial<ReplyEligibilityFacts>) => decideReplyEligibility({ ...FINE, ...facts });

it('allows a reply without an obstacle', () => {
  expect(look({})).toEqual({ may: 'yes' });
  expect(look({ position: 2, inThread: MAX_IN_THREAD })).toEqual({ may: 'yes' });
});

it.each<[string, Partial<ReplyEligibilityFacts>, string]>([
  ['the switch of the workspace', { isOff: true }, 'kill_switch'],
  ['a deleted agent', { agent: null }, 'agent'],
  ['an inactive agent', { agent: agent({}, { isActive: false }) }, 'agent'],
  ['an agent that is not autonomous', { agent: agent({ enabled: false }) }, 'agent'],
  ['a suppression', { isSuppressed: true }, 'suppressed'],
  ['no lead', { isWithLead: false }, 'lead'],
  ['a person who has answered', { isAnsweredByHand: true }, 'answered'],
  ['a newer answer', { answered: null }, 'newer'],
  ['replies that are wanted elsewhere', { hasForeignReplyTo: true }, 'elsewhere'],
  ['other mail since', { hasNewer: true }, 'newer'],
  ['another label', { label: 'negative' }, 'label'],
  ['no label', { label: null }, 'label'],
  ['a stop word', { agent: agent({ stopWords: ['good'] }) }, 'stop_word'],
  ['enough answers in the thread', { inThread: MAX_IN_THREAD }, 'thread_limit'],
  ['a follow-up too many', { position: 3 }, 'silence'],
  ['follow-ups that are off', { position: 1, agent: agent({}, { followupSettings: DEFAULT_FOLLOWUPS }) }, 'silence'],
  [
    'a follow-up for another label, chosen though it is',
    { position: 1, label: 'neutral', agent: agent({ labels: ['positive', 'neutral'] }) },
    'label',
  ],
])('forbids a reply because of %s', (_name, facts, cause) => {
  expect(look(facts)).toMatchObject({ may: 'never', cause, reason: expect.stringMatching(/^[A-Z][^\n]+$/) as string });
});

it('never allows a reply to an opt-out, whatever labels are enabled', () => {
  const chosen = agent({ labels: ['unsubscribe_request'] });
  expect(look({ agent: chosen, label: 'unsubscribe_request' })).toMatchObject({ may: 'never', cause: 'label' });
});

it('waits while the model has not labelled the message yet, whatever the label of the rules', () => {
  expect(look({ isLabelling: true })).toMatchObject({ may: 'later', cause: 'labelling' });
  expect(look({ isLabelling: true, label: 'other' })).toMatchObject({ may: 'later', cause: 'labelling' });
  expect(look({ isLabelling: true, isSuppressed: true })).toMatchObject({ may: 'never', cause: 'suppressed' });
});
