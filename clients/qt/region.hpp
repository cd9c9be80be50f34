// SPDX-License-Identifier: MIT
#pragma once

#include <QPointer>
#include <QQuickItem>
#include <QQuickWindow>
#include <QVariantList>
#include <QVariantMap>

class Gestured;
struct gestured_gesture;

/// An item that is a region of the panel as long as it is visible and enabled. It follows its geometry.
class Region : public QQuickItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(GesturedRegion)
    /// The id of the region after the prefix of `Gestured`; without one, a number.
    Q_PROPERTY(QString name MEMBER m_name NOTIFY definitionChanged)
    /// As in `gestures` of a [[region]]: words and objects.
    Q_PROPERTY(QVariantList gestures MEMBER m_gestures NOTIFY definitionChanged)
    /// Further keys of the [[region]], such as `margin`.
    Q_PROPERTY(QVariantMap keys MEMBER m_keys NOTIFY definitionChanged)
    /// Whether a `press` is under way.
    Q_PROPERTY(bool pressed READ isPressed NOTIFY pressedChanged)

public:
    explicit Region(QQuickItem *parent = nullptr);
    ~Region() override;

    bool isPressed() const { return m_isPressed; }
    QString id() const { return m_id; }
    /// Whether the item can be touched.
    bool isTouchable() const;
    /// The region as JSON.
    QByteArray definition();
    /// The places of the item and its ancestors among their siblings, in the order in which they are painted.
    QList<QPair<qreal, int>> paintOrder() const;
    void take(const gestured_gesture &gesture, const QVariantMap &line);
    /// Reports a refusal of the daemon at the item's place in its file.
    void warn(const QString &message) const;

signals:
    void definitionChanged();
    void pressedChanged();
    /// Positions are in the item's coordinates.
    void tapped(const QPointF &position, int count);
    void longPressed(const QPointF &position);
    void repeated(int n);
    void swiped(const QString &direction, qreal velocity);
    /// `phase` is "begin", "update", "end" or "cancel"; `translation` is in the item's units, since the begin.
    void dragged(const QString &phase, const QPointF &translation);
    void pinched(const QString &phase, qreal scale);
    void rotated(const QString &phase, qreal angle);
    void patternDrawn();
    /// Any gesture, by the keys of its line in docs/protocol.md.
    void gesture(const QVariantMap &line);

protected:
    void componentComplete() override;
    void itemChange(ItemChange change, const ItemChangeData &data) override;

private:
    Region *surroundingRegion() const;
    QRectF visiblePart() const;
    QPointF toOutput(const QPointF &local) const;
    QPointF position(const gestured_gesture &gesture) const;

    QString m_name, m_id;
    QVariantList m_gestures;
    QVariantMap m_keys;
    bool m_isPressed = false;
    QPointer<Gestured> m_connection;
    QMetaObject::Connection m_frames;
    /// The bounding box in the output, in parts of its size.
    QRectF m_bounds;
};
