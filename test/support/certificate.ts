import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A private key and its self-signed certificate, both in PEM. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** Tags of ASN.1 (ITU-T X.690) and the object identifiers of RFC 5280 and RFC 5758, already encoded. */
const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const BOOLEAN = 0x01;
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');

const DAY = 24 * 60 * 60 * 1000;

/**
 * Makes a certificate for `localhost` that is valid for a day, from `node:crypto` alone. Node has no API for issuing
 * certificates; `openssl` may be missing, and the packages that do it bring a whole X.509 implementation.
 */
export function makeCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from('localhost')))),
  );
  const now = Date.now();
  // DNSName is the context tag 2 of a GeneralName; a certificate that signs itself must be allowed to sign.
  const altNames = der(SEQUENCE, der(0x82, Buffer.from('localhost')));
  const isAuthority = der(SEQUENCE, der(BOOLEAN, Buffer.from([0xff])));
  const unsigned = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(SEQUENCE, utcTime(now - DAY), utcTime(now + DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(SEQUENCE, extension(SUBJECT_ALT_NAME, altNames), extension(BASIC_CONSTRAINTS, isAuthority)),
    ),
  );
  const signed = der(SEQUENCE, unsigned, algorithm, bitString(sign('sha256', unsigned, privateKey)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

/** A value with its tag and length; lengths from 128 on take bytes of their own. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const prefix =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...prefix]), content]);
}

function bitString(bytes: Uint8Array): Buffer {
  return der(BIT_STRING, Buffer.from([0]), bytes);
}

function extension(id: Uint8Array, value: Uint8Array): Buffer {
  return der(SEQUENCE, id, der(OCTET_STRING, value));
}

function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(UTC_TIME, Buffer.from(`${digits}Z`));
}
