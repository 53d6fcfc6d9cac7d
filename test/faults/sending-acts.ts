import { comesTrue } from '../harness/sending';
import { type Chance } from './seeded';
import { type SendingUnderFaults } from './sending-environment';

/** Something that happens while emails are sent. */
export type Act = (world: SendingUnderFaults, chance: Chance) => Promise<unknown>;

/** What is forbidden stays so for a while, so that an email that is sent in spite of it is seen. */
const FORBIDDEN_MS = 250;

/** What people do while emails are sent, and what a queue may do by itself. */
export const sendingActs: Record<string, Act> = {
  'the campaign is paused and resumed': async (world) => during(world, await world.pauseCampaign()),
  'a mailbox is paused and resumed': async (world, chance) =>
    during(world, await world.pauseMailbox(chance.pick(world.mailboxes))),
  'leads are paused and resumed': async (world, chance) =>
    during(world, await world.pauseLeads(some(world, chance).map(({ _id }) => _id))),
  'all leads are paused and resumed': async (world) =>
    during(world, await world.pauseLeads(world.leads.map(({ _id }) => _id))),
  'addresses are suppressed': (world, chance) => world.suppress(some(world, chance).map(({ email }) => email)),
  'leads are removed': (world, chance) => world.removeLeads(some(world, chance).map(({ _id }) => _id)),
  'every job comes three times': (world) => world.tripleJobs(),
};

function some({ leads }: SendingUnderFaults, chance: Chance) {
  return chance.shuffled(leads).slice(0, 1 + chance.below(3));
}

async function during(world: SendingUnderFaults, undo: () => Promise<void>): Promise<void> {
  await world.tripleJobs();
  const before = await world.accepted();
  await comesTrue(async () => (await world.accepted()) > before, FORBIDDEN_MS);
  await undo();
}
