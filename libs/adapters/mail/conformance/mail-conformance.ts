import { describeFolders } from './folders-conformance';
import { type MailTraits, type MailTestEnvironment } from './mail-test-environment';
import { describeReading } from './reading-conformance';
import { describeSending } from './sending-conformance';
import { describeSyncing } from './syncing-conformance';

/** The contract of every mail driver; each driver's spec calls it once. */
export function describeMailDriver(name: string, open: () => Promise<MailTestEnvironment>, traits: MailTraits): void {
  describe(`${name} keeps the port's promises:`, () => {
    let environment: MailTestEnvironment;
    beforeEach(async () => {
      environment = await open();
    });
    afterEach(() => environment.close());

    describeSending(() => environment, traits);
    describeSyncing(() => environment, traits);
    describeReading(() => environment, traits);
    describeFolders(() => environment);
  });
}
