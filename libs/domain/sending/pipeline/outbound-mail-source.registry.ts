import { Injectable } from '@nestjs/common';
import { type OutboundMail, type OutboundMailSource } from './outbound-mail-source';

export type AnyMailSource = OutboundMailSource<unknown, OutboundMail>;

/** The sources of which every run of a mailbox sends, the most urgent first; this library does not know them. */
@Injectable()
export class OutboundMailSourceRegistry {
  #sources: readonly AnyMailSource[] = [];

  /** Call it once, when the module starts. @param place the mail of a `first` source goes before that of the others */
  register(source: AnyMailSource, place: 'first' | 'last'): void {
    this.#sources = place === 'first' ? [source, ...this.#sources] : [...this.#sources, source];
  }

  get sources(): readonly AnyMailSource[] {
    return this.#sources;
  }
}
