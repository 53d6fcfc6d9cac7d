import { isEventually } from '../harness/sending';
import { type Chance } from './seeded';
import { type SendingUnderFaults } from './sending-environment';

/** An act during the sending. */
export type Act = (scenario: SendingUnderFaults, chance: Chance) => Promise<unknown>;

/** Time for which a prohibition lasts, so that an email that is sent in spite of it is found. */
const FORBIDDEN_MS = 250;

/** Acts of people, and duplicate jobs of a queue. */
export const sendingActs: Record<string, Act> = {
  'the campaign is paused and resumed': async (scenario) => during(scenario, await scenario.pauseCampaign()),
  'a mailbox is paused and resumed': async (scenario, chance) =>
    during(scenario, await scenario.pauseMailbox(chance.pick(scenario.mailboxes))),
  'leads are paused and resumed': async (scenario, chance) =>
    during(scenario, await scenario.pauseLeads(some(scenario, chance).map(({ _id }) => _id))),
  'all leads are paused and resumed': async (scenario) =>
    during(scenario, await scenario.pauseLeads(scenario.leads.map(({ _id }) => _id))),
  'addresses are suppressed': (scenario, chance) => scenario.suppress(some(scenario, chance).map(({ email }) => email)),
  'leads are removed': (scenario, chance) => scenario.removeLeads(some(scenario, chance).map(({ _id }) => _id)),
  'every job comes three times': (scenario) => scenario.tripleJobs(),
};

function some({ leads }: SendingUnderFaults, chance: Chance) {
  return chance.shuffled(leads).slice(0, 1 + chance.below(3));
}

async function during(scenario: SendingUnderFaults, undo: () => Promise<void>): Promise<void> {
  await scenario.tripleJobs();
  const before = await scenario.accepted();
  await isEventually(async () => (await scenario.accepted()) > before, FORBIDDEN_MS);
  await undo();
}
