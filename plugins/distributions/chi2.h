/* Chi-squared numbers are gamma distributed, and know no divergence of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISTRIBUTIONS_CHI2_H
#define DISTRIBUTIONS_CHI2_H

#include "family.h"

static inline void chi2_as_gamma(workspace *work, const Value *chi2, Value *gamma) {
  gamma[0] = Mul(chi2[0], Number(0.5));
  gamma[1] = FullLike(chi2[0], 0.5);
}

/* The divergence to "td.chi2" of the one to "td.gamma". */
#define KL_TO_CHI2(name, to_gamma)   \
  FORMULA2(name) {                   \
    Value gamma[2];                  \
    chi2_as_gamma(work, q, gamma);   \
    return to_gamma(work, p, gamma); \
  }

#endif
