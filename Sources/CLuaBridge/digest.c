#include "state.h"

// SHA-256 (FIPS 180-4), HMAC (RFC 2104) and Base64 (RFC 4648).

static const uint32_t round_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

typedef struct {
  uint32_t hash[8];
  uint8_t block[64];
  uint64_t count;
} hasher;

static uint32_t rotate(uint32_t x, int by) { return (x >> by) | (x << (32 - by)); }

static void hash_block(hasher *h) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++) {
    const uint8_t *b = h->block + 4 * i;
    w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
  }
  for (int i = 16; i < 64; i++) {
    uint32_t low = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint32_t high = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  memcpy(s, h->hash, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t mix = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
    uint32_t first = s[7] + mix + ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[i] + w[i];
    uint32_t blend = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
    uint32_t second = blend + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof s[0]);
    s[4] += first;
    s[0] = first + second;
  }
  for (int i = 0; i < 8; i++) h->hash[i] += s[i];
}

static void hasher_begin(hasher *h) {
  static const uint32_t initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  };
  memcpy(h->hash, initial, sizeof initial);
  h->count = 0;
}

static void hasher_add(hasher *h, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    h->block[h->count++ % 64] = bytes[i];
    if (h->count % 64 == 0) hash_block(h);
  }
}

static void hasher_end(hasher *h, uint8_t digest[32]) {
  uint64_t bits = h->count * 8;
  uint8_t length[8];
  for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  hasher_add(h, (const uint8_t *)"\x80", 1);
  while (h->count % 64 != 56) hasher_add(h, (const uint8_t *)"", 1);
  hasher_add(h, length, 8);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(h->hash[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  hasher h;
  hasher_begin(&h);
  hasher_add(&h, bytes, count);
  hasher_end(&h, digest);
}

void hmac_sha256(
    const uint8_t *key, size_t key_count, const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  uint8_t pad[64] = {0};
  hasher h;
  if (key_count > sizeof pad) {
    sha256(key, key_count, pad);
  } else if (key_count > 0) {
    memcpy(pad, key, key_count);
  }
  for (size_t i = 0; i < sizeof pad; i++) pad[i] ^= 0x36;
  hasher_begin(&h);
  hasher_add(&h, pad, sizeof pad);
  hasher_add(&h, bytes, count);
  hasher_end(&h, digest);
  for (size_t i = 0; i < sizeof pad; i++) pad[i] ^= 0x36 ^ 0x5c;
  hasher_begin(&h);
  hasher_add(&h, pad, sizeof pad);
  hasher_add(&h, digest, 32);
  hasher_end(&h, digest);
}

// MARK: Base64

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_encode(const uint8_t *bytes, size_t count, char *text) {
  char *to = text;
  for (size_t i = 0; i < count; i += 3) {
    size_t left = count - i;
    uint32_t three = (uint32_t)bytes[i] << 16;
    if (left > 1) three |= (uint32_t)bytes[i + 1] << 8;
    if (left > 2) three |= bytes[i + 2];
    *to++ = letters[three >> 18];
    *to++ = letters[three >> 12 & 63];
    *to++ = left > 1 ? letters[three >> 6 & 63] : '=';
    *to++ = left > 2 ? letters[three & 63] : '=';
  }
  return (size_t)(to - text);
}

bool base64_decode(const char *text, size_t count, uint8_t *bytes, size_t *written) {
  uint32_t bits = 0;
  int held = 0;
  *written = 0;
  while (count > 0 && text[count - 1] == '=' && count % 4 != 1) count--;
  if (count % 4 == 1) return false;
  for (size_t i = 0; i < count; i++) {
    const char *letter = text[i] == 0 ? NULL : strchr(letters, text[i]);
    if (letter == NULL) return false;
    bits = bits << 6 | (uint32_t)(letter - letters);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[(*written)++] = (uint8_t)(bits >> held);
  }
  return true;
}
