// As test_class.h, for tests that need widgets.
#pragma once

#include "program/test_class.h"

#include <QApplication>

#define LOCKSTEP_WINDOW_TEST(Class) LOCKSTEP_TEST_WITH(QApplication, Class)
