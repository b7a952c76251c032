import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { DAY } from '../../functions/kernel/time.ts';

/** A value in DER (ITU-T X.690) of less than 64 KiB: its tag, its length, and its contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const { length } = Buffer.concat(contents);
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  const size = length < 0x80 ? [length] : long;
  return Buffer.concat([Buffer.of(tag, ...size), ...contents]);
}

const sequence = (...contents: readonly Uint8Array[]) => der(0x30, ...contents);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
const extension = (id: string, value: Buffer, ...critical: readonly Buffer[]) =>
  sequence(oid(id), ...critical, der(0x04, value));

const TRUE = der(0x01, Buffer.of(0xff));
const VERSION_3 = der(0xa0, der(0x02, Buffer.of(2)));
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const SUBJECT_ALT_NAME = '551d11';

/** Creates a key and its certificate (RFC 5280), which signs itself and is valid for a day, both in PEM. */
export function selfSigned(names = ['localhost'], addresses = ['127.0.0.1']): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from('localhost')))));
  const altNames = [
    ...names.map((dns) => der(0x82, Buffer.from(dns))),
    ...addresses.map((ip) => der(0x87, Buffer.from(ip.split('.').map(Number)))),
  ];
  const contents = sequence(
    VERSION_3,
    // A positive serial number, unlike all others of this issuer.
    der(0x02, Buffer.of(1), randomBytes(8)),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(new Date()), utcTime(new Date(Date.now() + DAY * 1000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(extension(BASIC_CONSTRAINTS, sequence(TRUE), TRUE), extension(SUBJECT_ALT_NAME, sequence(...altNames))),
    ),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', contents, privateKey));
  // An empty line after a full last line would make OpenSSL reject it.
  const lines =
    sequence(contents, ECDSA_WITH_SHA256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
