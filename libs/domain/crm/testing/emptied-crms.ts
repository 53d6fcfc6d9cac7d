import { CrmPort } from '@adapters/crm';
import { Module } from '@nestjs/common';
import { type FakeCrm, FakeCrms } from '../../../adapters/crm/testing';

/** Like FakeCrms, but reset before each test. */
class EmptiedCrms extends CrmPort {
  #crms = new FakeCrms();

  reset(): void {
    this.#crms = new FakeCrms();
  }

  override driver(type: Parameters<CrmPort['driver']>[0]): FakeCrm {
    return this.#crms.driver(type);
  }
}

export const emptiedCrms = new EmptiedCrms();

@Module({
  providers: [{ provide: CrmPort, useValue: emptiedCrms }],
  exports: [CrmPort],
})
class FakeCrmProviders {}

export const FakeCrmModule = { module: FakeCrmProviders, global: true };
