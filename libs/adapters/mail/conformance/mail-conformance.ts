import { describeFolders } from './folders-conformance';
import { type MailTraits, type MailTestEnvironment } from './mail-test-environment';
import { describeReading } from './reading-conformance';
import { describeSending } from './sending-conformance';
import { describeSyncing } from './syncing-conformance';

/** What every driver promises, whatever it speaks: called once for each of them. */
export function describeMailDriver(name: string, open: () => Promise<MailTestEnvironment>, traits: MailTraits): void {
  describe(`${name} keeps the port's promises:`, () => {
    let world: MailTestEnvironment;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    describeSending(() => world, traits);
    describeSyncing(() => world, traits);
    describeReading(() => world, traits);
    describeFolders(() => world);
  });
}
