import { type FakeClock } from '@testing';
import { InboxFixture } from '../../../../inbox/testing';
import { WarmupModule } from '../../../warmup.module';
import { ReceivingRecords } from './receiving-records';
import { WarmupDeliveries } from './warmup-deliveries';
import { WarmupMembers } from './warmup-members';

export { type Member } from './warmup-members';

/** Warmup between mailboxes in memory, at noon of a Wednesday; only the test sends mail. */
export class ReceivingFixture {
  readonly members: WarmupMembers;
  readonly deliveries: WarmupDeliveries;
  readonly records: ReceivingRecords;

  private constructor(readonly inbox: InboxFixture) {
    this.members = new WarmupMembers(inbox);
    this.deliveries = new WarmupDeliveries(inbox);
    this.records = new ReceivingRecords(inbox);
  }

  static async open(): Promise<ReceivingFixture> {
    return new ReceivingFixture(await InboxFixture.open({}, [WarmupModule]));
  }

  close(): Promise<void> {
    return this.inbox.close();
  }

  get clock(): FakeClock {
    return this.inbox.clock;
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.inbox.get(service);
  }
}
